package store

// WithHook has h see every statement that reads or writes rows, and BEGIN
// and COMMIT.
func WithHook(h Hook) Option { return func(s *Store) { s.hook = h } }
