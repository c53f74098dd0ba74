package watch

import "golang.org/x/sys/unix"

const (
	canNotify    = true
	perFileWatch = false // a watch covers a folder with all its files
	perFileMax   = 0
	limitHint    = "raise fs.inotify.max_user_watches and max_user_instances"
)

// isRemote reports a file system whose files change without the kernel's
// knowing: other machines', or a user-space program's.
func isRemote(dir string) bool {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return false
	}
	switch uint32(st.Type) { // a magic number of 32 bits, sign-extended on some systems
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC,
		unix.FUSE_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.CODA_SUPER_MAGIC:
		return true
	}
	return false
}
