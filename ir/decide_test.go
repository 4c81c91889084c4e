package ir

import "testing"

func TestDecide(t *testing.T) {
	p := parseText(t, `func f {
  sb a: f32[4,8]
  L0: for i = 0..4 {
    I-0: a = Memset if(1 > 0, i >= 2, -1 != 0) @DVE
    I-1: a = Memset if(i >= 2, 0 > 0) @DVE
    I-2: a = Memset @DVE
    I-3: a = Memset if(3 == 3) @DVE
  }
}`)
	want := map[string]struct {
		open int
		hold bool
	}{"L0": {0, true}, "I-0": {1, true}, "I-1": {0, false}, "I-2": {0, true}, "I-3": {0, true}}
	for in := range p.Insts {
		open, hold := Decide(in.Pred)
		if len(open) != want[in.Name].open || hold != want[in.Name].hold {
			t.Errorf("%s: %d open, hold %v", in.Name, len(open), hold)
		}
	}
}

// DeleteNever takes edges along; Delete hands on what was waited for.
func TestDeleteNever(t *testing.T) {
	const src = `func f {
  sb a: f32[4,8]
Block1:
  I-0: a = Memset @DVE
  L0: for i = 0..4 {
    I-1: a = Memset @DVE after(I-0)
  }
  I-2: a = Memset @DVE after(I-1, L0, I-0)
  I-3: a = Memset @DVE after(L0)
}
`
	p := parseText(t, src)
	e := NewEdit(p)
	e.DeleteNever(map[*Inst]bool{p.Cores[0].Blocks[0].Insts[1]: true})
	e.Done()
	sameText(t, p.String(), `module gen3

func f {
  sb a: f32[4,8]
Block1:
  I-0: a = Memset @DVE
  I-2: a = Memset @DVE after(I-0)
  I-3: a = Memset @DVE
}
`)
	if e.Before() == nil || e.Before().NumInsts() != 5 {
		t.Error("no snapshot")
	}
}

func TestShardBound(t *testing.T) {
	p := parseText(t, `func f {
  sb a: f32[4,8]
  L0: for i = 0..4 {
    I-0: a = Memset @DVE order(i + 3*mod(floordiv(shardid(6), 2) + 1, 4))
  }
}`)
	f := p.Cores[0]
	if n := f.ShardBound(); n != 6 {
		t.Fatalf("got %d", n)
	}
	e := NewEdit(p)
	e.BindShard(f, 5)
	if n, order := f.ShardBound(), f.Blocks[0].Insts[0].Loop.Blocks[0].Insts[0].Order[0]; n != 0 || order.C != 9 || len(order.Terms) != 1 {
		t.Errorf("bound %d, order %+v", n, order)
	}
}
