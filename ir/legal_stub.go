package ir

func legalAddScatter(in *Inst, c *Complain)      {}
func legalBNAggregate(in *Inst, c *Complain)     {}
func legalBNStats(in *Inst, c *Complain)         {}
func legalCache(in *Inst, c *Complain)           {}
func legalChain(in *Inst, c *Complain)           {}
func legalCollective(in *Inst, c *Complain)      {}
func legalCopyPredicated(in *Inst, c *Complain)  {}
func legalDMATranspose(in *Inst, c *Complain)    {}
func legalMatmul(in *Inst, c *Complain)          {}
func legalMax8(in *Inst, c *Complain)            {}
func legalPattern(in *Inst, c *Complain)         {}
func legalPlainScatter(in *Inst, c *Complain)    {}
func legalPool(in *Inst, c *Complain)            {}
func legalPoolFold(in *Inst, c *Complain)        {}
func legalRegisterAlu(in *Inst, c *Complain)     {}
func legalScan(in *Inst, c *Complain)            {}
func legalSelect(in *Inst, c *Complain)          {}
func legalStreamShuffle(in *Inst, c *Complain)   {}
func legalStreamTranspose(in *Inst, c *Complain) {}
func legalTensorReduce(in *Inst, c *Complain)    {}
func legalTensorTensor(in *Inst, c *Complain)    {}
