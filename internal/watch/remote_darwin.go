package watch

import "golang.org/x/sys/unix"

// isRemote reports a file system that is not on this machine.
func isRemote(dir string) bool {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return false
	}
	return st.Flags&unix.MNT_LOCAL == 0
}
