#!/bin/bash -eu
# Builds the target FuzzPipeline for libFuzzer into $OUT, and seeds for it. CXX, CXXFLAGS, LIB_FUZZING_ENGINE and OUT come from ClusterFuzzLite.
cd "$SRC/birfuzz"
.ci/gofuzz -archive "$WORK/pipeline.a"
# shellcheck disable=SC2086 # CXXFLAGS are several words
$CXX $CXXFLAGS "$LIB_FUZZING_ENGINE" "$WORK/pipeline.a" -o "$OUT/fuzz_pipeline"

.ci/gofuzz -seeds "$WORK/seeds"
zip -q -j "$OUT/fuzz_pipeline_seed_corpus.zip" "$WORK"/seeds/*
printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/fuzz_pipeline.options"
