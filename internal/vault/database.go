package vault

import "stratum"

// DatabaseStamps returns the stamps of blocks.db and of its write-ahead log,
// zero where there is none. It looks at the files and opens neither
// (decision 8.8).
func (v *Vault) DatabaseStamps() (database, wal stratum.Stamp) {
	stamp := func(name string) stratum.Stamp {
		info, err := v.fs.Lstat(pkmDir + "/" + name)
		if err != nil {
			return stratum.Stamp{}
		}
		return stampOf(info)
	}
	return stamp("blocks.db"), stamp("blocks.db-wal")
}
