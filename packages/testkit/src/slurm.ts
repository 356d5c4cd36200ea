import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProcess } from './child-process.ts'
import type { RunResult } from './child-process.ts'
import { endDaemon, freePort, until } from './daemon.ts'
import { toolPath } from './tools.ts'

/** A real Slurm of one node, which is this machine. */
export interface Slurm {
  /** Submits a job and waits for all its tasks: `sbatch --wait`. */
  submit(args: readonly string[], options: { cwd: string; env?: Readonly<Record<string, string>> }): Promise<RunResult>
  stop(): Promise<void>
}

/** Milliseconds that a daemon may take until it answers. */
const PATIENCE = 60_000

/**
 * Starts Slurm on free ports of 127.0.0.1 with everything in a temporary folder. Takes Debian's packages slurmctld,
 * slurmd, slurm-client and munge.
 */
export async function startSlurm(): Promise<Slurm> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-slurm-'))
  const daemons: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    for (const daemon of daemons.toReversed()) await endDaemon(daemon)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const environment = await start(folder, daemons)
    return {
      stop,
      submit: (args, { cwd, env = {} }) =>
        runProcess(toolPath('sbatch'), { args: ['--wait', ...args], cwd, env: { ...environment, ...env } }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns the environment that Slurm's programs need */
async function start(folder: string, daemons: ChildProcess[]): Promise<Readonly<Record<string, string>>> {
  for (const name of ['state', 'spool', 'log', 'run']) await mkdir(path.join(folder, name))
  const run = path.join(folder, 'run')
  const key = path.join(folder, 'munge.key')
  await writeFile(key, randomBytes(1024), { mode: 0o400 })
  const conf = path.join(folder, 'slurm.conf')
  await writeFile(conf, configuration(folder, os.hostname().split('.')[0]!, [await freePort(), await freePort()]))
  const environment = { SLURM_CONF: conf }
  const daemon = (program: 'munged' | 'slurmctld' | 'slurmd', ...args: string[]): void => {
    const log = openSync(path.join(folder, 'log', `${program}.out`), 'a')
    daemons.push(
      spawn(toolPath(program), args, { env: { ...process.env, ...environment }, stdio: ['ignore', log, log] }),
    )
    closeSync(log)
  }
  const files = { socket: 'munge.socket', 'pid-file': 'munged.pid', 'log-file': 'munged.log', 'seed-file': 'seed' }
  const given = Object.entries(files).map(([name, file]) => `--${name}=${path.join(run, file)}`)
  daemon('munged', '--foreground', '--force', `--key-file=${key}`, ...given)
  daemon('slurmctld', '-D', '-f', conf)
  daemon('slurmd', '-D', '-f', conf)
  await until(
    'Slurm',
    async () => {
      const { stdout } = await runProcess(toolPath('sinfo'), {
        args: ['-h', '-o', '%T'],
        cwd: folder,
        env: environment,
      })
      if (stdout.trim() !== 'idle') throw new Error(`The node is '${stdout.trim()}'.`)
    },
    PATIENCE,
  )
  return environment
}

function configuration(folder: string, host: string, [controller, node]: readonly [number, number]): string {
  return `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
SlurmdPort=${node}
SlurmUser=${os.userInfo().username}
SlurmdUser=${os.userInfo().username}
AuthType=auth/munge
AuthInfo=socket=${folder}/run/munge.socket
CredType=cred/munge
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/run/slurmctld.pid
SlurmdPidFile=${folder}/run/slurmd.pid
SlurmctldLogFile=${folder}/log/slurmctld.log
SlurmdLogFile=${folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=1
ReturnToService=2
MpiDefault=none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${os.cpus().length} RealMemory=1024 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
`
}
