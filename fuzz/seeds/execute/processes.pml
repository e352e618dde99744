typedef T { byte a[2]; short s } T t; byte done;
proctype Q(byte n) provided (done < 3) { t.a[n % 2] = n; t.s = t.s - n; if :: n > 0 -> run Q(n - 1) :: else fi; done++ }
init { atomic { run Q(2); run Q(1) }; (_nr_pr == 1); assert(t.s < 1) }
