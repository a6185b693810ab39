import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** The signals that ask a program to stop. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

const parentPollMs = 250

/**
 * Runs a command as if it had been started in place of this process: it gets the terminal and every signal that asks to stop.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} Its exit code, as shells count: 128 and the signal's number where a signal ended it.
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
 * Tells when the package manager that runs this script is gone. npm passes SIGTERM and SIGINT on to the shell that it starts
 * scripts with, and SIGHUP to nobody; a shell that stays in between (dash) ends without telling this process.
 *
 * A program that a script of another package leaves in the background is to outlive npm, so only scripts that name this one
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
 * The ids of the processes between this one and the package manager, that included. Whoever loses its parent gets another,
 * so that they change when one of them ends. Where there is no /proc, a shell in between hides the package manager.
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

/** The second field after the program's name, which stands in brackets and may hold any character. */
function readParent(processId) {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
}
