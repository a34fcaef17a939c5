# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced: a private Slurm of two nodes on this host, on loopback alone, without systemd and root, in the folder $D,
# whose path is to be short (unix sockets). cluster_start exports SLURM_CONF; cluster_stop ends every daemon by its id.
PATH=$PATH:/usr/sbin:/sbin
cluster_port=$((20000 + $$ % 10000 * 3))

cluster_lacks() { # prints what is missing; status 1: nothing
    for program in slurmctld slurmd sbatch squeue scancel munged; do
        command -v "$program" >/dev/null || { printf '%s\n' "$program"; return 0; }
    done
    return 1
}

# A folder $D, which goes with the cluster when the script ends; status 77 of the script where there is no Slurm.
cluster_prepare() {
    if missing=$(cluster_lacks); then
        echo "Skipped: $missing is missing (Debian: slurmctld slurmd slurm-client munge)"
        exit 77
    fi
    D=$(mktemp -d /tmp/bnb-slurm.XXXXXX)
    trap 'cluster_stop; rm -rf -- "$D"' EXIT
    trap 'exit 1' INT TERM HUP
    chmod 755 "$D"
    export TMPDIR="$D"
}

cluster_write() {
    host=$(hostname -s) me=$(id -un)
    mkdir -p "$D/state" "$D/log" "$D/spool-n1" "$D/spool-n2"
    (umask 077 && dd if=/dev/urandom of="$D/munge.key" bs=128 count=1 2>/dev/null)
    cat >"$SLURM_CONF" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$cluster_port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$D/munge.sock
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=2
SlurmctldTimeout=10
SlurmdTimeout=15
ReturnToService=2
SlurmdParameters=config_overrides
RequeueExit=75
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool-%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((cluster_port + 1)) CPUs=2 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((cluster_port + 2)) CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
}

# The id in a file, where it is still that of such a program.
cluster_id() { # file name
    id=$(cat "$1" 2>/dev/null) || return 1
    case $(cat "/proc/$id/comm" 2>/dev/null) in "$2"*) printf '%s\n' "$id" ;; *) return 1 ;; esac
}

cluster_start() {
    export SLURM_CONF="$D/slurm.conf"
    cluster_write
    munged --socket="$D/munge.sock" --key-file="$D/munge.key" --pid-file="$D/munged.pid" --log-file="$D/log/munged.log" \
        --seed-file="$D/munged.seed" --origin=127.0.0.1 && slurmctld && slurmd -N n1 && slurmd -N n2 || return 1
    for _ in $(seq 150); do
        [ "$(sinfo -h -N -o %T 2>/dev/null | grep -cx idle)" = 2 ] && return 0
        sleep 0.2
    done
    return 1
}

cluster_end() { # file name
    id=$(cluster_id "$1" "$2") || return 0
    kill "$id"
    for _ in $(seq 50); do
        [ -d "/proc/$id" ] || return 0
        sleep 0.1
    done
    kill -9 "$id"
}

cluster_stop() {
    if cluster_id "$D/slurmctld.pid" slurmctld >/dev/null; then
        squeue -h -o %A 2>/dev/null | sort -u | xargs -r scancel 2>/dev/null
        for _ in $(seq 50); do
            [ -z "$(squeue -h -t running 2>/dev/null)" ] && break
            sleep 0.2
        done
    fi
    cluster_end "$D/slurmd-n1.pid" slurmd
    cluster_end "$D/slurmd-n2.pid" slurmd
    cluster_end "$D/slurmctld.pid" slurmctld
    cluster_end "$D/munged.pid" munged
}
