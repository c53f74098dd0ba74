package vault

import "time"

// SetClock makes v take the time from now.
func (v *Vault) SetClock(now func() time.Time) { v.now = now }
