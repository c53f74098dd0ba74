package kb

import (
	"encoding/json"
	"io"
	"time"

	"stratum"
	"stratum/internal/index"
	"stratum/internal/search"
	"stratum/internal/vault"
)

// level says that blocks.db, while its files have these stamps, holds exactly
// the rows of the notes in the index file with this sum. It is written when a
// vault is closed and spares the next start the comparison of every row.
type level struct {
	Database stratum.Stamp `json:"database"`
	WAL      stratum.Stamp `json:"wal"`
	Index    uint64        `json:"index"`
}

const (
	levelFile = "blocks.level"
	// levelAge is how long the database's files must have been left alone
	// for their stamps to tell of the next change.
	levelAge = 2 * time.Second
)

// measure returns the level as the files stand; ok is false when they are not
// there or were just changed. The database's files are looked at and not
// opened (decision 8.8).
func measure(v *vault.Vault) (l level, ok bool) {
	l.Database, l.WAL = v.DatabaseStamps()
	f, _, err := v.State().Open(index.File)
	if err != nil {
		return level{}, false
	}
	defer f.Close()
	if l.Index, err = search.Sum(f); err != nil {
		return level{}, false
	}
	newest := max(l.Database.Modified, l.WAL.Modified)
	return l, l.Database != stratum.Stamp{} && time.Since(time.Unix(0, newest)) > levelAge
}

// wasLevel reports whether database and index file are as the last process
// that knew them to agree left them.
func wasLevel(v *vault.Vault) bool {
	now, ok := measure(v)
	if !ok {
		return false
	}
	data, err := v.State().Read(levelFile)
	if err != nil {
		return false
	}
	var then level
	return json.Unmarshal(data, &then) == nil && then == now
}

// noteLevel writes down that database and index file agree.
func noteLevel(v *vault.Vault) error {
	l, ok := measure(v)
	if !ok {
		return nil
	}
	return v.State().Write(levelFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(l) })
}
