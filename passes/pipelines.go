package passes

import (
	"fmt"
	"slices"
	"strings"
)

// Row is one place in a level's pass list, as the documents give it.
type Row struct {
	Order  int // walrus.md's order number; in the lists that have none, the position counted from 1; 0 where levels 1–3 leave it unknown
	Name   string
	Exists bool // there is a pass of that name here; the rest of Pass is empty otherwise
	Pass   Pass
}

// known returns every pass that exists, one row each.
func known() []Pass {
	return []Pass{deadCodeElimO0(), deadCodeElimO1(), instructionReorder()}
}

// levels are the pipelines, in the order in which Levels lists them.
var levels = []struct{ name, list string }{
	{"O0", level0},
	{"O1", level123},
	{"O2", level123},
	{"O3", level123},
	{"O2-loops", level6},
	{"O3-loops", level8},
}

// The lists name the passes of walrus.md §3.2–3.5 in their order; a number before a name is its order number there. Checks, dumps and
// simulators that the documents put behind flags (bir_sim, memory analyses, perf_sim) rewrite nothing and are left out; the verifiers stay.
//
// Settled by us: levels 1–3 name two occurrences just "dead_code_elim" (50 and 97); both run at the level o0, since after allocation the
// dead-store proof is remove_redundancies' work. Level 0's full list is unpublished: it holds what is known to be in it, and one o0 sweep,
// which is also the cheapest use of a pass that every level shares.
const (
	level0 = `runtime_memory_reservation 9:unroll 11:dead_code_elim_o0 17:non_ssa_legalization linear_scan_allocator
		68:coloring_allocator_dram post_sched 94:legalize_mm_accumulation_groups 128:lower_control`

	level123 = `lower_ac 7:expand_replication 8:lnc_splitter 9:unroll 10:lower_generic_indirect 11:dead_code_elim_o1
		12:localize_shared_memory 13:birverifier 14:lnc_verifier 15:oom_checker 16:instruction_reorder 17:non_ssa_legalization
		18:legalize_strided_dma 19:legalize_cce_dma 20:pre_opts psum_legalization 24:vn_splitter 25:shrink_ml 26:constant_propagate
		29:input_dma_coalescing 30:remat_optimization 31:early_peephole_opts 33:pre_sched 34:tensor_copy_elim
		runtime_memory_reservation 40:linear_scan_allocator 44:coloring_allocator_psum 45:dma_optimization_psum
		46:address_rotation_psum 48:inline 50:dead_code_elim_o0 51:coloring_allocator_sb dma_optimization_sb 56:address_rotation_sb
		58:tensorcopy_accel 59:peephole_opts 60:inline_bir_kernel 61:inline_nki_kernel 64:lower_select 65:non_ssa_legalization
		66:dead_code_elim_o0 68:coloring_allocator_dram 69:address_rotation_dram dynamic_dma_cleanup dynamic_dma_scan 74:build_fdeps
		75:remove_redundancies 76:anti_dependency_analyzer 77:tensor_copy_elim 80:lower_local_collectives
		81:extend_shared_lifetimes 82:coloring_allocator_dram_shared 83:sync_shared_allocations
		84:anti_dependency_analyzer_post_shared_dram post_sched separate_load_and_compute 91:order_column_tiled_mms 92:post_sched
		93:arch_legalize 94:legalize_mm_accumulation_groups 95:insert_ptcom_flat 96:expand_scheduling_units 97:dead_code_elim_o0
		address_rotation_psum_post_schedule address_rotation_sb 104:dep_opt assign_trigger_engine sync_before_global_cc
		expand_device_print coloring_allocator_dram_debug assign_hwdge_engine alloc_queues chain_dma_transposes 128:lower_control
		130:dep_reduction 131:bir_racecheck`

	level6 = `1:birverifier 2:lnc_verifier 3:dynamic_dma_cleanup 4:expand_replication 5:lower_ac 6:flatten_small_loops 7:loop_optimization
		8:sb_size_legalization 9:full_unroll_some 10:heuristic_unroll 11:pre_sched 12:pre_sched 13:coloring_allocator_with_loop
		14:address_tensor_insertion 15:address_tensor_content_dump 16:lower_symbolic_inst 17:peephole_opts 18:lower_select
		19:build_fdeps 20:remove_redundancies 21:anti_dependency_analyzer 22:post_sched 23:post_sched
		24:legalize_mm_accumulation_groups 25:full_unroll_all 26:anti_dependency_analyzer 27:dep_opt 28:post_sched 29:report_stats
		30:assign_trigger_engine 31:lower_local_collectives 32:insert_ptcom_flat 33:extend_shared_lifetimes 34:dead_code_elim_o1
		35:localize_shared_memory 36:birverifier 37:lnc_verifier 38:sync_before_global_cc 39:expand_device_print
		40:coloring_allocator_dram_debug 41:assign_hwdge_engine 42:alloc_queues 43:chain_dma_transposes 44:lnc_barriercheck`

	level8 = `1:dynamic_dma_cleanup 2:expand_replication 3:lower_ac 4:loop_optimization 5:sb_size_legalization 6:full_unroll_some
		7:address_tensor_insertion 8:pre_sched 9:linear_scan_allocator 10:lower_select 11:address_tensor_content_dump
		12:lower_symbolic_inst 13:post_sched 14:legalize_mm_accumulation_groups 15:full_unroll_all 16:dep_opt 17:report_stats
		18:assign_trigger_engine 19:lower_local_collectives 20:insert_ptcom_flat 21:extend_shared_lifetimes 22:dead_code_elim_o1
		23:localize_shared_memory 24:sync_before_global_cc 25:expand_device_print 26:coloring_allocator_dram_debug
		27:assign_hwdge_engine 28:alloc_queues 29:chain_dma_transposes 30:lnc_barriercheck`
)

// Levels returns the names of the pipelines.
func Levels() []string {
	names := make([]string, len(levels))
	for i := range levels {
		names[i] = levels[i].name
	}
	return names
}

// Rows returns every place of the level's list, those without a pass here too. The error of an unknown level names the known ones.
func Rows(level string) ([]Row, error) {
	for _, l := range levels {
		if l.name == level {
			return rowsOf(l.list), nil
		}
	}
	return nil, fmt.Errorf("no level %q; the levels are %s", level, strings.Join(Levels(), ", "))
}

func rowsOf(list string) []Row {
	have := known()
	var rows []Row
	for _, word := range strings.Fields(list) {
		r := Row{Name: word}
		if n, name, ok := strings.Cut(word, ":"); ok {
			r.Name = name
			fmt.Sscan(n, &r.Order)
		}
		if i := slices.IndexFunc(have, func(p Pass) bool { return p.Name == r.Name }); i >= 0 {
			r.Exists, r.Pass = true, have[i]
			r.Pass.Order = r.Order
		}
		rows = append(rows, r)
	}
	return rows
}

// Pipeline returns the passes of the level that exist, in the documents' order.
func Pipeline(level string) ([]Pass, error) {
	rows, err := Rows(level)
	if err != nil {
		return nil, err
	}
	var ps []Pass
	for _, r := range rows {
		if r.Exists {
			ps = append(ps, r.Pass)
		}
	}
	return ps, nil
}

// Known returns the names of the passes that exist.
func Known() []string {
	var names []string
	for _, p := range known() {
		names = append(names, p.Name)
	}
	return names
}

// Named returns the passes of a comma-separated list, in that order; a name may stand more than once. more are passes that the list may
// name beside the known ones. The error of an unknown name lists those that can be named.
func Named(list string, more ...Pass) ([]Pass, error) {
	have := append(known(), more...)
	var ps []Pass
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(have, func(p Pass) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no pass %q; the passes are %s", name, namesOf(have))
		}
		ps = append(ps, have[i])
	}
	return ps, nil
}

func namesOf(ps []Pass) string {
	names := make([]string, len(ps))
	for i := range ps {
		names[i] = ps[i].Name
	}
	return strings.Join(names, ", ")
}
