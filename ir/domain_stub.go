package ir

func domainActivation(in *Inst, arg int) Domain   { return Domain{} }
func domainChain(in *Inst, arg int) Domain        { return Domain{} }
func domainReduce(in *Inst, arg int) Domain       { return Domain{} }
func domainTensorTensor(in *Inst, arg int) Domain { return Domain{} }
