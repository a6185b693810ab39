import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** The signals that ask a program to stop. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

const parentPollMs = 250

/**
 * Runs a command as if it replaced this process: it gets the terminal and every stop signal.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} Its exit code, as in shells: 128 plus the signal number if a signal ended it.
 */
export function runChild([program, ...args], options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  const forward = (signal) => child.kill(signal)
  for (const signal of stopSignals) process.on(signal, forward)
  const unwatch = watchPackageManager(() => child.kill('SIGTERM'))
  const stopForwarding = () => {
    for (const signal of stopSignals) process.off(signal, forward)
    unwatch()
  }
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      stopForwarding()
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal])
    })
  })
}

/**
 * Detects that the package manager running this script has exited. npm passes SIGTERM and SIGINT on to the shell that runs
 * scripts, and SIGHUP to nobody; a shell that stays in between (dash) exits without passing them on.
 *
 * A program that another package's script leaves in the background should outlive npm, so only scripts that name this one
 * are watched.
 *
 * @param {() => void} onGone
 * @returns {() => void} Stops watching.
 */
function watchPackageManager(onGone) {
  if (!/docent|scripts\/run\.js/.test(process.env.npm_lifecycle_script ?? '')) return () => {}
  const ancestors = readAncestors()
  const timer = setInterval(() => {
    if (readAncestors() === ancestors) return
    clearInterval(timer)
    onGone()
  }, parentPollMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * The ids of the processes from this one's parent up to the package manager. They change when one of them exits, because
 * orphans get a new parent. Without /proc, a shell in between hides the package manager.
 */
function readAncestors() {
  const parent = process.ppid
  try {
    const [program = '', option] = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')
    const isShell = /(?:^|\/)(?:ba|da|a|z|k)?sh$/.test(program) && option === '-c'
    return isShell ? `${parent} ${readParent(parent)}` : String(parent)
  } catch {
    return String(parent)
  }
}

/** The second field after the program's name, which is in parentheses and may contain any character. */
function readParent(processId) {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
}
