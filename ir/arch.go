package ir

// Sizes of a core's memories (walrus.md §6, nki-isa.md §6), and what one instruction has room for (walrus.md §5, Synchronisation).
const (
	Partitions    = 128
	PSUMBanks     = 8
	PSUMBankBytes = 2048
	NumSemaphores = 256
	MaxSemValue   = 1<<32 - 1 // the largest number a semaphore holds
	MaxWaits      = 2         // semaphores that an instruction waits for
	MaxUpdates    = 1         // semaphores that it updates
)

// MaxVirtual is how many semaphores a program may use that has the fact Virtual.
const MaxVirtual = 1 << 17

var sbufBytes = [NumArch]int64{Sunda: 192 << 10, Gen3: 224 << 10, CoreV4: 256 << 10}

// SBUFBytes returns the bytes of one SBUF partition.
func (a Arch) SBUFBytes() int64 { return sbufBytes[a] }
