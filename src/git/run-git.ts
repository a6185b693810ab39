import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { parse } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../contract/app-error.ts'

export interface GitCommand {
  /** Absolute path that becomes `GIT_DIR`, so that git never searches for a repository; null for commands that need none. */
  gitDirectory: string | null
  /** The subcommand and its arguments. Values that a user chose go behind `--end-of-options`, as ids wherever possible. */
  args: readonly string[]
  signal: AbortSignal
  /** The one repository on the network that the command may speak to; without it, none. */
  remote?: GitRemote
  /** Absolute path of the file that serves as the index instead of the repository's own. */
  indexFile?: string
  /** Whom a commit that the command writes is by, and when. */
  signatures?: { author: CommitSignature; committer: CommitSignature }
  /** What a client asks of the protocol, such as `version=2`. */
  protocol?: string
  /** Whether the command starts further processes of git, which are stopped with it. */
  hasHelpers?: boolean
  /**
   * Whether the command tidies up when its input is cut off, as one that takes a push does: stopping it first does that,
   * because git that is killed leaves its objects and its locks in the repository.
   */
  tidiesUp?: boolean
}

/** The same signature and content give the same commit id, whenever and wherever the commit is made. */
export interface CommitSignature {
  name: string
  /** May be an address that nobody reads, such as `docent@localhost`. */
  email: string
  /** Milliseconds; seconds are kept. */
  at: number
}

/** A repository on the network, its address judged already: see `resolveRemote`. */
export interface GitRemote {
  /** `https://…`, or `http://…` to this machine; holds no user information. */
  url: URL
  /** `host:port:address`: what git dials instead of looking the name up again; null when the host is an address. */
  dial: string | null
  /** The value of the Authorization header; null without a credential. */
  authorization: string | null
}

export interface GitLimits {
  /** Default 60 seconds. */
  timeoutMs?: number
  /** Most bytes of standard output, default 64 MiB. */
  outputBytesMax?: number
  /** What standard input holds; nothing by default. */
  input?: string | Uint8Array
}

export interface GitOutcome {
  /** Not judged here, because several subcommands answer a question with it. */
  exitCode: number
  stdout: Buffer
  /** At most the first 8 KiB. */
  stderr: string
}

/** A git command that runs until its input ends, it is stopped, or its signal is aborted. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles once, after all output was delivered. Rejects when git cannot be started and with the signal's reason. */
  readonly ended: Promise<Omit<GitOutcome, 'stdout'>>
  stop(): void
}

const stderrBytesMax = 8 * 1024

/** How long a command may take to tidy up before it is killed. */
const tidyMsMax = 5_000

/**
 * Switches that stand before every subcommand. Command-line configuration wins over the repository's own, so that
 * reading a repository runs nothing that its configuration names.
 *
 * `protocol.allow=never` beside the empty `GIT_ALLOW_PROTOCOL` keeps git from fetching a missing object, which would
 * run the repository's `core.sshCommand`.
 */
const fixedSettings = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.symlinks=false',
  `core.attributesFile=${devNull}`,
  // Newer releases read attributes of bare repositories from a commit; a name that leads to nothing stands for none.
  'attr.tree=refs/docent/no-attributes',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.quotePath=false',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'protocol.allow=never',
  'http.followRedirects=false',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgsign=false',
  // Objects and refs are on the disk before a database says that they are there.
  'core.fsync=committed',
  // What a fetch brings stays one pack, whose growth can be watched, and is there whole or not at all.
  'fetch.unpackLimit=1',
  'fetch.fsckObjects=true',
  'transfer.fsckObjects=true',
]

/**
 * What opens the network to one repository, over the environment, because arguments are seen by every user of the
 * machine. The credential goes to that origin alone.
 *
 * `GIT_ALLOW_PROTOCOL` wins over the settings, and redirects are off, so that nothing else is dialled.
 */
function remoteEnvironment({ url, dial, authorization }: GitRemote): Record<string, string> {
  const settings: [name: string, value: string][] = [
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', '60'],
    ['http.proxy', ''],
  ]
  if (dial !== null) settings.push(['http.curloptResolve', dial])
  if (authorization !== null) settings.push([`http.${url.origin}/.extraHeader`, `Authorization: ${authorization}`])
  return {
    GIT_ALLOW_PROTOCOL: url.protocol.slice(0, -1),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/**
 * The whole environment of every git command. Only `PATH` is inherited, because variables such as `GIT_DIR`,
 * `GIT_TRACE` or `GIT_EXTERNAL_DIFF` redirect git, write files or run programs.
 *
 * Replacement refs are off, so that a commit id names exactly one content.
 */
function gitEnvironment(command: GitCommand): Record<string, string> {
  const { gitDirectory, remote, indexFile, signatures, protocol } = command
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    ...(gitDirectory === null ? {} : { GIT_DIR: gitDirectory }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
    ...(signatures === undefined ? {} : signatureEnvironment('AUTHOR', signatures.author)),
    ...(signatures === undefined ? {} : signatureEnvironment('COMMITTER', signatures.committer)),
    ...(remote === undefined ? {} : remoteEnvironment(remote)),
  }
}

function signatureEnvironment(role: 'AUTHOR' | 'COMMITTER', { name, email, at }: CommitSignature) {
  // Git takes these characters out itself, except the zero byte, which an environment cannot hold.
  const clean = (text: string) => text.replace(/[\p{Cc}<>]/gu, ' ').trim()
  return {
    [`GIT_${role}_NAME`]: clean(name) || 'unknown',
    [`GIT_${role}_EMAIL`]: clean(email) || 'unknown@localhost',
    [`GIT_${role}_DATE`]: `@${Math.floor(at / 1000)} +0000`,
  }
}

function gitArguments({ gitDirectory, args }: GitCommand): string[] {
  const settings = gitDirectory === null ? fixedSettings : [...fixedSettings, `safe.directory=${gitDirectory}`]
  return [...settings.flatMap((setting) => ['-c', setting]), ...args]
}

/**
 * Starts git for a conversation over its standard input and output. The only place that starts a process; there is
 * never a shell, and the working folder is the file system's root, so that no folder of a repository is ever current.
 *
 * The caller ends `stdin` or calls `stop`. Aborting the signal stops the process.
 *
 * @throws The signal's reason when it is aborted already.
 */
export function startGit(command: GitCommand): GitProcess {
  command.signal.throwIfAborted()
  // Commands that speak to the network have a helper too, which must be stopped with them: see `stopGroup`.
  const hasGroup = command.remote !== undefined || command.hasHelpers === true
  const child = spawn('git', gitArguments(command), {
    cwd: parse(process.cwd()).root,
    env: gitEnvironment(command),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: hasGroup,
  })
  let isOver = false
  let killing: NodeJS.Timeout | undefined
  const kill = () => {
    if (hasGroup) stopGroup(child.pid)
    child.kill('SIGKILL')
  }
  const stop = () => {
    // Another process may have its number by now.
    if (isOver) return
    if (command.tidiesUp !== true) return kill()
    child.stdin.destroy()
    killing ??= setTimeout(kill, tidyMsMax).unref()
  }
  // A process that ended early closes its input; its exit code says why, so the broken pipe itself is no news.
  child.stdin.on('error', () => {})
  const stderr = collectStart(child.stderr, stderrBytesMax)

  const ended = new Promise<Omit<GitOutcome, 'stdout'>>((resolve, reject) => {
    command.signal.addEventListener('abort', stop, { once: true })
    child.once('error', (error) => reject(explainStartFailure(error)))
    child.once('close', (code) => {
      command.signal.removeEventListener('abort', stop)
      isOver = true
      clearTimeout(killing)
      const text = stderr()
      if (command.signal.aborted) reject(command.signal.reason as unknown)
      else if (code !== 0 && isDiskFull(text)) reject(diskFull(text))
      else resolve({ exitCode: code ?? 128, stderr: text })
    })
  })
  // Whoever reads only the output must not bring the service down by not looking at the end as well.
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended, stop }
}

/** A detached process leads a group of its own, which its helpers belong to. */
function stopGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}

/** Keeps reading beyond the limit, because a full pipe would block the process. */
function collectStart(stream: Readable, bytesMax: number): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < bytesMax) chunks.push(chunk.subarray(0, bytesMax - size))
    size += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

/** git reports it only in words, in the language fixed by its environment. */
function isDiskFull(stderr: string): boolean {
  return /No space left on device|Disk quota exceeded/u.test(stderr)
}

/** As the system reports it, so that callers can distinguish it from a repository fault. */
function diskFull(stderr: string): Error {
  return Object.assign(new Error(`git found the disk full: ${stderr.trim()}`), { code: 'ENOSPC' })
}

function explainStartFailure(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT')
    return new Error(`The git command could not be started: ${error.message}.`, { cause: error })
  return new AppError(
    'invalid_request',
    'The git command was not found. Install git 2.38 or newer and make sure that it is on PATH.',
    {
      cause: error,
    },
  )
}

/**
 * Runs git to its end and collects its output.
 *
 * @returns The outcome, whatever the exit code is; a process that a signal killed counts as 128.
 * @throws {AppError} `invalid_request` when there is no git command.
 * @throws {Error} When it takes too long or writes too much; it is stopped then.
 * @throws The signal's reason when it is aborted.
 */
export async function runGit(command: GitCommand, limits: GitLimits = {}): Promise<GitOutcome> {
  const { timeoutMs = 60_000, outputBytesMax = 64 * 1024 * 1024, input } = limits
  const timeout = AbortSignal.timeout(timeoutMs)
  const git = startGit({ ...command, signal: AbortSignal.any([command.signal, timeout]) })
  git.stdin.end(input)
  const collected = collectOutput(git, outputBytesMax)
  try {
    const outcome = await git.ended
    const stdout = collected()
    if (stdout === null) {
      throw new Error(
        `git ${command.args[0]} wrote more than ${outputBytesMax} bytes and was stopped. Read a smaller part of the repository.`,
      )
    }
    return { ...outcome, stdout }
  } catch (error) {
    if (!timeout.aborted || command.signal.aborted) throw error
    throw new Error(`git ${command.args[0]} took longer than ${timeoutMs} ms and was stopped.`, { cause: error })
  }
}

/**
 * Runs git where any exit code but 0 is a fault of ours or of the repository, never an answer.
 *
 * @throws {Error} with git's own words; otherwise as `runGit`.
 */
export async function runGitStrictly(command: GitCommand, limits: GitLimits = {}): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(command, limits)
  if (exitCode === 0) return stdout
  throw new Error(`git ${command.args[0]} ended with ${exitCode}: ${stderr.trim() || 'it gave no reason'}`)
}

/** @returns A function that gives the whole output, or null when it was over the limit. */
function collectOutput(git: GitProcess, bytesMax: number): () => Buffer | null {
  const chunks: Buffer[] = []
  let size = 0
  git.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= bytesMax) chunks.push(chunk)
    else git.stop()
  })
  return () => (size > bytesMax ? null : Buffer.concat(chunks))
}
