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

const levelFile = "blocks.level"

// measure returns the level as the files stand, and how long they must still
// be left alone for their stamps to tell of the next change; ok is false when
// they are not there. The database's files are looked at and not opened
// (decision 8.8).
func measure(v *vault.Vault) (l level, wait time.Duration, ok bool) {
	l.Database, l.WAL = v.DatabaseStamps()
	f, _, err := v.State().Open(index.File)
	if err != nil {
		return level{}, 0, false
	}
	defer f.Close()
	if l.Index, err = search.Sum(f); err != nil {
		return level{}, 0, false
	}
	newest := max(l.Database.Modified, l.WAL.Modified)
	age := time.Since(time.Unix(0, newest))
	return l, max(0, tick(newest)-age), l.Database != stratum.Stamp{}
}

// tick returns a time in which the clock of the file system surely moves: some
// keep whole or even seconds, the others follow the system's timer.
func tick(modified int64) time.Duration {
	if modified%int64(time.Second) == 0 {
		return 2 * time.Second
	}
	return 50 * time.Millisecond
}

// wasLevel returns the level that the last process which knew database and
// index file to agree left them at; zero where they are not as it left them.
func wasLevel(v *vault.Vault) level {
	now, wait, ok := measure(v)
	if !ok || wait > 0 {
		return level{}
	}
	data, err := v.State().Read(levelFile)
	if err != nil {
		return level{}
	}
	var then level
	if json.Unmarshal(data, &then) != nil || then != now {
		return level{}
	}
	return then
}

// holds reports whether nobody has written to the database since l was
// measured. Opening it may have made an empty log.
func (l level) holds(v *vault.Vault) bool {
	database, wal := v.DatabaseStamps()
	return database == l.Database && (wal == l.WAL || wal.Size == 0)
}

// noteLevel writes down that database and the index file with the sum agree,
// unless another process writes to one of them this very moment.
func noteLevel(v *vault.Vault, sum uint64) error {
	before, wait, ok := measure(v)
	if !ok || before.Index != sum || wait > time.Second {
		return nil
	}
	time.Sleep(wait)
	if after, _, ok := measure(v); !ok || after != before {
		return nil
	}
	return v.State().Write(levelFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(before) })
}
