package ir

// SyncUse says what a row has to do with semaphores beside its waits and updates.
type SyncUse uint8

// The uses.
const (
	NoSync     SyncUse = iota
	SyncMeans          // EventSemaphore: sync_info is its meaning; on any other row it makes a program Synced (semantics §2)
	SyncResets         // GroupResetSemaphores: every semaphore of the core becomes 0
	SyncJoins          // AllEngineBarrier: all engines of the core come to it before any of them goes on
	SyncDrains         // Drain: the engine's earlier transfers are complete
)

var syncUses = map[string]SyncUse{
	"EventSemaphore": SyncMeans, "GroupResetSemaphores": SyncResets, "AllEngineBarrier": SyncJoins, "Drain": SyncDrains,
}

// Sync returns what the row has to do with semaphores.
func (s *Spec) Sync() SyncUse { return syncUses[s.Name] }

// Assumed returns the facts that a program read from a file without facts is taken to have: Synced where an instruction whose meaning is
// not sync_info carries some, else none (semantics §2).
func (p *Program) Assumed() Facts {
	for in := range p.Insts {
		if in.Spec().Sync() != SyncMeans && len(in.Wait)+len(in.Update) > 0 {
			return Synced
		}
	}
	return 0
}

// Transfers tells whether an instruction runs in a queue and not in its engine (semantics §2): the DMA engine, which computes nothing, may issue
// it, and it is none of the rows that any engine does itself, ALL included.
func (in *Inst) Transfers(arch Arch) bool {
	e := in.Spec().Engines[arch]
	return e.Has(DMA) && !e.Has(ALL)
}
