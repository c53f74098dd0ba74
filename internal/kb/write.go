package kb

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"stratum"
	"stratum/internal/markdown"
	"stratum/internal/vault"
)

// WritePage creates or overwrites the note at p with exactly content (§5.3,
// decision 5.4). A nil expected is no guard; else the note must exist with
// that modified time, or the call is a Conflict and changes nothing
// (decision 5.7). Writing what is there already writes nothing.
// It takes the write lock.
func (k *KB) WritePage(ctx context.Context, p stratum.Path, content string, expected *time.Time) (stratum.NoteDocument, error) {
	unlock, err := k.lock(ctx)
	if err != nil {
		return stratum.NoteDocument{}, err
	}
	defer unlock()
	ctx = context.WithoutCancel(ctx)

	if err := k.vault.Writable(p); err != nil {
		return stratum.NoteDocument{}, err
	}
	old, err := k.vault.Read(p)
	found := err == nil
	if err != nil && !stratum.IsKind(err, stratum.NotFound) {
		return stratum.NoteDocument{}, err
	}
	if err := guard(p, old, found, expected); err != nil {
		return stratum.NoteDocument{}, err
	}
	if found {
		if err := editable(p, old); err != nil {
			return stratum.NoteDocument{}, err
		}
	}
	if found && old.Content == content {
		return k.document(ctx, p)
	}
	if err := k.replace(ctx, p, content, expected != nil, old.Stamp); err != nil {
		return stratum.NoteDocument{}, err
	}
	return k.document(ctx, p)
}

// DeletePage deletes the note at p and every row and index entry of it
// (§5.4, decision 5.10). It takes the write lock.
func (k *KB) DeletePage(ctx context.Context, p stratum.Path, expected *time.Time) error {
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	ctx = context.WithoutCancel(ctx)

	if err := k.vault.Writable(p); err != nil {
		return err
	}
	old, err := k.vault.Read(p)
	if err != nil {
		return err
	}
	if err := guard(p, old, true, expected); err != nil {
		return err
	}
	change, err := k.vault.Remove(p)
	if err != nil {
		return err
	}
	if expected != nil && change.Before != old.Stamp {
		return k.undone(ctx, change, changedSince(p))
	}
	if err := k.index.Drop(ctx, p); err != nil {
		return k.undone(ctx, change, stratum.ErrExternal("delete the note", err))
	}
	k.commit(change)
	return nil
}

// AddTag adds tag to the note's frontmatter unless the note has it already
// (§5.13, decision 6.3). It takes the write lock.
func (k *KB) AddTag(ctx context.Context, p stratum.Path, tag string) (stratum.TagOperationResult, error) {
	return k.editTags(ctx, p, tag, "add", markdown.AddTag)
}

// RemoveTag removes tag from the note's frontmatter and text (§5.14,
// decision 6.3). It takes the write lock.
func (k *KB) RemoveTag(ctx context.Context, p stratum.Path, tag string) (stratum.TagOperationResult, error) {
	return k.editTags(ctx, p, tag, "remove", markdown.RemoveTag)
}

func (k *KB) editTags(ctx context.Context, p stratum.Path, tag, action string, edit func(src, tag string) (string, int, error)) (stratum.TagOperationResult, error) {
	unlock, err := k.lock(ctx)
	if err != nil {
		return stratum.TagOperationResult{}, err
	}
	defer unlock()
	ctx = context.WithoutCancel(ctx)

	if err := k.vault.Writable(p); err != nil {
		return stratum.TagOperationResult{}, err
	}
	old, err := k.vault.Read(p)
	if err != nil {
		return stratum.TagOperationResult{}, err
	}
	if err := editable(p, old); err != nil {
		return stratum.TagOperationResult{}, err
	}
	content, applied, err := edit(old.Content, tag)
	if err != nil {
		return stratum.TagOperationResult{}, withPath(err, p)
	}
	if applied > 0 {
		if err := k.replace(ctx, p, content, true, old.Stamp); err != nil {
			return stratum.TagOperationResult{}, err
		}
	}
	return stratum.TagOperationResult{Path: p.String(), Success: true, Tag: tag, Action: action, Applied: applied}, nil
}

// replace puts content in place of the note at p on the disk, in blocks.db and
// in the index, or leaves all three as they were (decision 5.9). When it is
// guarded and the file it replaced was not the one with the stamp before,
// another program has come between: Conflict. The write lock is held.
func (k *KB) replace(ctx context.Context, p stratum.Path, content string, guarded bool, before stratum.Stamp) error {
	change, err := k.vault.Replace(p, content)
	if err != nil {
		return err
	}
	if guarded && change.Before != before {
		return k.undone(ctx, change, changedSince(p))
	}
	if err := k.index.Put(ctx, p, content, change.Stamp); err != nil {
		return k.undone(ctx, change, stratum.ErrExternal("save the note", err))
	}
	k.commit(change)
	return nil
}

// undone takes change back because of err, and returns the error for the
// client: a database that is merely busy is worth a retry. The index may have
// seen what stood on the disk for a moment, so it looks again.
func (k *KB) undone(ctx context.Context, change *vault.Change, err *stratum.Error) error {
	uerr := change.Undo()
	_ = k.index.Refresh(ctx, []stratum.Path{change.Path}) // fails with ctx only, and a mutation's never ends
	if uerr != nil {
		return stratum.ErrExternal("undo a write that failed", errors.Join(err, uerr))
	}
	if busy, ok := errors.AsType[*stratum.Error](err.Cause); ok && busy.Kind == stratum.VaultLocked {
		return busy
	}
	return err
}

// commit drops what change kept for an undo. The note is safe by then: a
// failure only leaves a hidden file for the next sweep.
func (k *KB) commit(change *vault.Change) {
	if err := change.Commit(); err != nil {
		k.opt.Log.Warn("drop a replaced file", "error", err)
	}
}

// guard checks expected_modified (decision 5.7).
func guard(p stratum.Path, f vault.File, found bool, expected *time.Time) error {
	if expected == nil {
		return nil
	}
	if !found {
		return &stratum.Error{
			Kind:    stratum.Conflict,
			Message: "The note is gone: " + p.String() + " was deleted or moved since it was read.",
			Hint:    "Find it with kb_autocomplete, or write it anew without expected_modified.",
			Path:    p.String(),
		}
	}
	if f.Stamp.Time().Equal(*expected) {
		return nil
	}
	return changedSince(p)
}

func changedSince(p stratum.Path) *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.Conflict,
		Message: "The note was changed since it was read: " + p.String() + ". Nothing was written.",
		Hint:    "Read it again with kb_get_page, redo the change on its content, and pass its modified_at exactly as given.",
		Path:    p.String(),
	}
}

// editable refuses a note whose bytes a client cannot have seen (decision 5.2).
func editable(p stratum.Path, f vault.File) error {
	if utf8.ValidString(f.Content) {
		return nil
	}
	return &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: "The note is not valid UTF-8 and cannot be edited without losing bytes: " + p.String() + ". Nothing was changed.",
		Hint:    "Convert the file to UTF-8 in an editor first.",
		Path:    p.String(),
	}
}

func withPath(err error, p stratum.Path) error {
	e := *stratum.AsError(err)
	e.Path = p.String()
	return &e
}
