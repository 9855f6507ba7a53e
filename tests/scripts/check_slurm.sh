#!/usr/bin/env bash
# check_slurm.sh PROGRAM SOURCE: the array script of examples/parts on Slurm: a controller and two nodes on this machine. One task is
# ended in the middle and goes on; what 'lanewise merge' then prints is what one run does. The Makefile there, too.
program=$1 source=$2
for tool in slurmctld slurmd sbatch munged; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "SKIPPED: there is no $tool (Debian: slurm-wlm, munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "SKIPPED: a controller of Slurm here needs root"; exit 77; }
PATH=$PATH:/usr/sbin
source "$(dirname "$0")/expect.sh"
host=$(hostname -s)
stop_slurm() {
  local file
  for file in n1.pid n2.pid ctld.pid munge.pid; do
    [ ! -f $file ] || kill "$(cat $file)" 2>/dev/null || true
    for _ in $(seq 50); do [ -f $file ] && sleep 0.1 || break; done # they write as they end
  done
  finish
}
trap stop_slurm EXIT
mkdir state bin
ln -s "$program" bin/lanewise
export PATH=$work/bin:$PATH SLURM_CONF=$work/slurm.conf
# Ports of their own for each run of this check.
port=$((20000 + $$ % 20000))
cat >slurm.conf <<E
ClusterName=lanewise
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
SlurmUser=root
StateSaveLocation=$work/state
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/%n.pid
SlurmdSpoolDir=$work/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
E
head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" --log-file="$work/munge.log" \
  --seed-file="$work/munge.seed" 2>/dev/null
slurmctld -L "$work/ctld.log"
for node in n1 n2; do slurmd -N $node -L "$work/$node.log"; done
for _ in $(seq 100); do
  sinfo -h -o '%D %t' 2>/dev/null | grep -q '2 idle' && break
  sleep 0.1
done
sinfo -h -o '%D %t' | grep -q '2 idle' || { complain "the nodes are not up"; cat ctld.log n1.log; exit 1; }

sweep=(sweep "$source/examples/exp.tt" --ref 'exp(x)' --inputs sample:40000000:3 --no-generate)
"$program" "${sweep[@]}" >one.txt
# submit: the array; `job` is its number.
submit() { job=$(sbatch --parsable --array=1-5 "$source/examples/parts/lanewise.sbatch" "${sweep[@]}"); }
# wait_for_job: until no task of it is left.
wait_for_job() {
  for _ in $(seq 600); do
    [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] && return
    sleep 0.1
  done
  complain "the array does not end: $(squeue -j "$job")"
}
submit
# A task is cancelled in the middle, as where its node was lost; the same array once more does what is left.
for _ in $(seq 100); do
  [ -s part-1 ] && break
  sleep 0.05
done
scancel "${job}_1"
wait_for_job
submit
wait_for_job
"$program" merge part-* >merged.txt || complain "the parts of the array cannot be merged: $(cat slurm-*.out)"
cmp one.txt merged.txt || complain "the array gives something else than one run"
"$program" merge --list part-* >list.txt
[ "$(grep -c ' done ' list.txt)" = 5 ] || complain "not five parts"

rm -f part-*
make -s -j2 -f "$source/examples/parts/Makefile" LANEWISE="$program" PARTS=3 SWEEP="sweep $source/examples/abs.tt --ref 'abs(x)'" result.txt >make.txt ||
  complain "make: $(cat make.txt)"
"$program" sweep "$source/examples/abs.tt" --ref 'abs(x)' | cmp - result.txt || complain "make gives something else than one run"
