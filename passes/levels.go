package passes

// levels are the pipelines, in the order in which Levels lists them.
var levels = []level{
	{"O0", level0, nil, nil},
	{"O1", level123, []levelKnob{{"pre_sched", "level", 1}, {"post_sched", "level", 1}}, starved123},
	{"O2", level123, []levelKnob{{"pre_sched", "level", 2}, {"post_sched", "level", 2}}, starved123},
	{"O3", level123, []levelKnob{{"pre_sched", "level", 2}, {"post_sched", "level", 3}}, starved123},
	{"O2-loops", level6, nil, starved68},
	{"O3-loops", level8, []levelKnob{{"sb_size_legalization", knobTileSize, 1 << 12}}, starved68},
	{"O2-sync", level123 + levelTail, []levelKnob{{"pre_sched", "level", 2}, {"post_sched", "level", 2}}, starved123},
	{"O2-loops-sync", level6 + " lower_control" + levelTail, nil, starved68},
}

// level is a pipeline. Levels 1, 2 and 3 of the vendor are one list and differ by flags alone (walrus.md §0.1); which flags is not published.
// Those that are known to have levels of their own (§4.3: 1 and 2; §5, post_sched: 0 to 3) are turned up step by step, which is our choice.
// At level 8 tiles are to fit a small part of SBUF, since its allocator knows no loops and holds a tile for as long as the loop around it runs: ours too.
type level struct {
	name, list string
	knobs      []levelKnob
	starved    []starvedRule
}

// starved123 holds as long as none of the passes between the two places exists: what makes a Load redundant there comes from them.
var starved123 = []starvedRule{
	{"pre_sched", "nonssa.redundant-load", FreeChaos | FreeOrder, "non_ssa_legalization (17) deletes redundant loads, and no pass between it and pre_sched (33) makes new ones"},
}

// starved68 names the fallback of a switch that is on by default (loop-optimization.txt, "Pass Driver"); nothing is known of a level that clears it.
var starved68 = []starvedRule{
	{"loop_optimization", "loop-opt.fuse-classic", FreeKnobs, knobProfitable + " is 1, and so no loops are fused as they stand"},
}

// levelKnob is a setting that a level makes.
type levelKnob struct {
	pass, knob string
	value      int64
}

// The lists name the passes of walrus.md §3.2–3.5 in their order; a number before a name is its order number there. Checks, dumps and
// simulators that the documents put behind flags (bir_sim, memory analyses, perf_sim, the debug dumps) rewrite nothing and are left out; the
// verifiers stay, switched on, which the vendor's enable-verifier is not. Behind a question mark stands the flag of a place that is off by
// default, "off" where the documents do not name the flag. Of the flags in brackets of §3.4 no default is known: those places are on.
//
// The first six places of levels 1–3 are unpublished; lower_ac, which opens the other lists, stands for them. Place 130 is dep_reduction on
// one page and lnc_barriercheck, which a flag switches on, on another (§9.5): both are listed.
//
// The vendor appends the tail to every level (§3.7). Here it makes levels of their own: what it does costs more to judge than all before it
// does, for from there on every schedule of the engines must agree, and a finding in the levels without it is one of the passes that are theirs.
// Its numbers (L20 to L40) are counted anew and left out. lower_control, which no list of the loop levels names, stands in front of it there: the synchronizer needs it.
//
// Settled by us: linear_scan_allocator stands for the colouring allocators of levels 1–3 until those exist, as with the vendor's
// --allocator=lsa, so that the passes behind it meet real places. Levels 1–3 name two occurrences just "dead_code_elim" (50 and 97); both run at the level o0, since after allocation the
// dead-store proof is remove_redundancies' work. Level 0's full list is unpublished: it holds what is known to be in it, and one o0 sweep,
// which is also the cheapest use of a pass that every level shares.
const (
	level0 = `runtime_memory_reservation 9:unroll 11:dead_code_elim_o0 17:non_ssa_legalization linear_scan_allocator
		68:coloring_allocator_dram post_sched 94:legalize_mm_accumulation_groups 128:lower_control`

	level123 = `lower_ac 7:expand_replication 8:lnc_splitter 9:unroll 10:lower_generic_indirect 11:dead_code_elim_o1
		12:localize_shared_memory 13:birverifier 14:lnc_verifier 15:oom_checker 16:instruction_reorder 17:non_ssa_legalization
		18:legalize_strided_dma?gen-stride-dma 19:legalize_cce_dma 20:pre_opts psum_legalization 24:vn_splitter 25:shrink_ml 26:constant_propagate
		29:input_dma_coalescing 30:remat_optimization?off 31:early_peephole_opts 33:pre_sched 34:tensor_copy_elim
		runtime_memory_reservation 40:linear_scan_allocator 44:coloring_allocator_psum 45:dma_optimization_psum
		46:address_rotation_psum 48:inline 50:dead_code_elim_o0 51:coloring_allocator_sb dma_optimization_sb 56:address_rotation_sb
		58:tensorcopy_accel 59:peephole_opts 60:inline_bir_kernel 61:inline_nki_kernel 64:lower_select 65:non_ssa_legalization
		66:dead_code_elim_o0 68:coloring_allocator_dram 69:address_rotation_dram dynamic_dma_cleanup dynamic_dma_scan 74:build_fdeps
		75:remove_redundancies 76:anti_dependency_analyzer 77:tensor_copy_elim 80:lower_local_collectives
		81:extend_shared_lifetimes 82:coloring_allocator_dram_shared 83:sync_shared_allocations
		84:anti_dependency_analyzer_post_shared_dram post_sched separate_load_and_compute 91:order_column_tiled_mms 92:post_sched
		93:arch_legalize?off 94:legalize_mm_accumulation_groups 95:insert_ptcom_flat 96:expand_scheduling_units 97:dead_code_elim_o0
		address_rotation_psum_post_schedule address_rotation_sb 104:dep_opt assign_trigger_engine sync_before_global_cc
		expand_device_print coloring_allocator_dram_debug assign_hwdge_engine alloc_queues chain_dma_transposes 128:lower_control
		130:dep_reduction lnc_barriercheck?enable-barrier-checker 131:bir_racecheck?enable-data-race-checker`

	levelTail = ` report_stats coloring_allocator_dram_post_lnk sync_shared_allocations anti_dependency_analyzer_post_lnk
		separate_load_and_compute_post_ada lower_branch synchronizer alloc_semaphores lower_sync lower_act lower_dve lower_ap
		coloring_allocator_reg vnc_remote_addr_map vnc_link branch_hint codegen`

	level6 = `1:birverifier 2:lnc_verifier 3:dynamic_dma_cleanup 4:expand_replication 5:lower_ac 6:flatten_small_loops 7:loop_optimization
		8:sb_size_legalization 9:full_unroll_some 10:heuristic_unroll 11:pre_sched 12:pre_sched 13:coloring_allocator_with_loop
		14:address_tensor_insertion 15:address_tensor_content_dump 16:lower_symbolic_inst 17:peephole_opts 18:lower_select
		19:build_fdeps 20:remove_redundancies 21:anti_dependency_analyzer 22:post_sched 23:post_sched
		24:legalize_mm_accumulation_groups 25:full_unroll_all 26:anti_dependency_analyzer 27:dep_opt 28:post_sched 29:report_stats
		30:assign_trigger_engine 31:lower_local_collectives 32:insert_ptcom_flat 33:extend_shared_lifetimes 34:dead_code_elim_o1
		35:localize_shared_memory 36:birverifier 37:lnc_verifier 38:sync_before_global_cc 39:expand_device_print
		40:coloring_allocator_dram_debug 41:assign_hwdge_engine 42:alloc_queues 43:chain_dma_transposes 44:lnc_barriercheck?enable-barrier-checker`

	level8 = `1:dynamic_dma_cleanup 2:expand_replication 3:lower_ac 4:loop_optimization 5:sb_size_legalization 6:full_unroll_some
		7:address_tensor_insertion 8:pre_sched 9:linear_scan_allocator 10:lower_select 11:address_tensor_content_dump
		12:lower_symbolic_inst 13:post_sched 14:legalize_mm_accumulation_groups 15:full_unroll_all 16:dep_opt 17:report_stats
		18:assign_trigger_engine 19:lower_local_collectives 20:insert_ptcom_flat 21:extend_shared_lifetimes 22:dead_code_elim_o1
		23:localize_shared_memory 24:sync_before_global_cc 25:expand_device_print 26:coloring_allocator_dram_debug
		27:assign_hwdge_engine 28:alloc_queues 29:chain_dma_transposes 30:lnc_barriercheck`
)
