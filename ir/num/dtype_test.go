package num

import "testing"

func TestDTypeTable(t *testing.T) {
	want := []struct {
		d           DType
		name        string
		size        int
		float, sign bool
	}{
		{Float32, "float32", 4, true, true},
		{Float32r, "float32r", 4, true, true},
		{BFloat16, "bfloat16", 2, true, true},
		{Float16, "float16", 2, true, true},
		{Float8e3, "float8e3", 1, true, true},
		{Float8e4, "float8e4", 1, true, true},
		{Float8e5, "float8e5", 1, true, true},
		{Float8e4m3fn, "float8_e4m3fn", 1, true, true},
		{Int8, "int8", 1, false, true},
		{Int16, "int16", 2, false, true},
		{Int32, "int32", 4, false, true},
		{Int64, "int64", 8, false, true},
		{UInt8, "uint8", 1, false, false},
		{UInt16, "uint16", 2, false, false},
		{UInt32, "uint32", 4, false, false},
		{UInt64, "uint64", 8, false, false},
	}
	all := DTypes()
	if len(all) != len(want) || len(all) != int(NumDTypes)-1 {
		t.Fatalf("DTypes lists %d formats, want %d", len(all), len(want))
	}
	for i, w := range want {
		d := all[i]
		if d != w.d || d.String() != w.name || d.Size() != w.size {
			t.Errorf("format %d is %v of %d bytes, want %v of %d", i, d, d.Size(), w.name, w.size)
		}
		if d.IsFloat() != w.float || d.IsInt() == w.float || d.IsSigned() != w.sign {
			t.Errorf("%v: IsFloat %v, IsInt %v, IsSigned %v", d, d.IsFloat(), d.IsInt(), d.IsSigned())
		}
		if got, ok := ParseDType(w.name); got != w.d || !ok {
			t.Errorf("ParseDType(%q) = %v, %v", w.name, got, ok)
		}
	}
}

func TestDTypeUnknown(t *testing.T) {
	for _, d := range []DType{Invalid, NumDTypes, 255} {
		if d.Size() != 0 || d.String() != "invalid" || d.IsFloat() || d.IsInt() || d.IsSigned() {
			t.Errorf("dtype %d does not answer as invalid", uint8(d))
		}
	}
	for _, name := range []string{"", "invalid", "Float32", "float8e4m3fn", "bool", "int4"} {
		if d, ok := ParseDType(name); ok || d != Invalid {
			t.Errorf("ParseDType(%q) = %v, %v, want none", name, d, ok)
		}
	}
}
