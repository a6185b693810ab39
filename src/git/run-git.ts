import { devNull } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../contract/app-error.ts'
import { readExecutablePath } from './read-executable-path.ts'
import type { ChildEnd } from './spawner/started-child.ts'
import { startChild } from './spawner/spawner.ts'

export interface GitCommand {
  /** Absolute path for `GIT_DIR`, so that git never searches for a repository; null for commands that need none. */
  gitDirectory: string | null
  /** The subcommand and its arguments. User-supplied values go behind `--end-of-options`, as ids wherever possible. */
  args: readonly string[]
  signal: AbortSignal
  /** The one remote repository that the command may connect to; none by default. */
  remote?: GitRemote
  /** Absolute path of the index file to use instead of the repository's own. */
  indexFile?: string
  /** Author and committer, with times, of a commit that the command writes. */
  signatures?: { author: CommitSignature; committer: CommitSignature }
  /** The protocol requested by a client, such as `version=2`. */
  protocol?: string
  /** Whether the command starts other git processes, which are stopped with it. */
  hasHelpers?: boolean
  /**
   * Whether the command cleans up when its input is cut off, as `receive-pack` does. Stopping tries that first, because
   * a killed git leaves its objects and locks in the repository.
   */
  cleansUp?: boolean
}

/** The same signature and content yield the same commit id, always and everywhere. */
export interface CommitSignature {
  name: string
  /** May be an unread address, such as `docent@localhost`. */
  email: string
  /** In milliseconds; stored in seconds. */
  at: number
}

/** A remote repository whose address has been checked: see `resolveRemote`. */
export interface GitRemote {
  /** `https://…`, or `http://…` to this machine; contains no user information. */
  url: URL
  /** `host:port:address` for git to dial without resolving the name again; null if the host is an address. */
  dial: string | null
  /** Value of the Authorization header; null without a credential. */
  authorization: string | null
}

export interface GitLimits {
  /** Default 60 seconds. */
  timeoutMs?: number
  /** Most bytes of standard output, default 64 MiB. */
  outputBytesMax?: number
  /** Content of standard input; empty by default. */
  input?: string | Uint8Array
}

export interface GitOutcome {
  /** Not checked here, because several subcommands answer a question with it. */
  exitCode: number
  stdout: Buffer
  /** At most the first 8 KiB. */
  stderr: string
}

/** A running git command. It ends when its input ends, it is stopped, or its signal is aborted. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves after all output was delivered. Rejects if git cannot be started, and with the signal's abort reason. */
  readonly ended: Promise<Omit<GitOutcome, 'stdout'>>
  stop(): void
  /** Lets this process end while git runs, until `ref`. */
  unref(): void
  ref(): void
}

/** How long a command may clean up before it is killed. */
const cleanupMsMax = 5_000

/**
 * Options before every subcommand. Command-line configuration overrides the repository's own, so that reading a
 * repository runs nothing named by its configuration.
 *
 * `protocol.allow=never`, together with the empty `GIT_ALLOW_PROTOCOL`, keeps git from fetching a missing object, which
 * would run the repository's `core.sshCommand`.
 */
const fixedSettings = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.symlinks=false',
  `core.attributesFile=${devNull}`,
  // Newer versions read attributes of bare repositories from a commit; a ref that does not exist disables this.
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
  // Objects and refs must be on disk before a database refers to them.
  'core.fsync=committed',
  // A fetch stays one pack: its growth can be watched, and it arrives completely or not at all.
  'fetch.unpackLimit=1',
  'fetch.fsckObjects=true',
  'transfer.fsckObjects=true',
]

/**
 * Allows network access to one repository. Passed in the environment, because every user of the machine can see
 * arguments. The credential is sent only to that origin.
 *
 * `GIT_ALLOW_PROTOCOL` overrides the configuration, and redirects are off, so that nothing else is dialled.
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
 * The complete environment of every git command. Only `PATH` is inherited, because variables such as `GIT_DIR`,
 * `GIT_TRACE` or `GIT_EXTERNAL_DIFF` redirect git, write files or run programs.
 *
 * Replacement refs are off, so that a commit id always identifies the same content.
 */
function gitEnvironment(command: GitCommand): Record<string, string> {
  const { gitDirectory, remote, indexFile, signatures, protocol } = command
  return {
    PATH: readExecutablePath(),
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
  // Git strips these characters itself, except NUL, which an environment cannot contain.
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
 * Starts git with open standard input and output. The only place that a git process comes from.
 *
 * The caller ends `stdin` or calls `stop`. Aborting the signal stops the process.
 *
 * @throws The signal's reason if it is already aborted.
 */
export function startGit(command: GitCommand): GitProcess {
  command.signal.throwIfAborted()
  const child = startChild({
    program: 'git',
    args: gitArguments(command),
    env: gitEnvironment(command),
    // Network commands also have a helper process.
    hasHelpers: command.remote !== undefined || command.hasHelpers === true,
    cleanupMs: command.cleansUp === true ? cleanupMsMax : 0,
  })
  let isOver = false
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    if (isOver) return
    if (command.cleansUp !== true) return child.kill()
    child.stdin.destroy()
    killing ??= setTimeout(child.kill, cleanupMsMax).unref()
  }
  // A process that exits early closes its input; its exit code says why, so the broken pipe is ignored.
  child.stdin.on('error', () => {})
  command.signal.addEventListener('abort', stop, { once: true })
  const ended = child.ended
    .finally(() => {
      command.signal.removeEventListener('abort', stop)
      isOver = true
      clearTimeout(killing)
    })
    .then(
      (end) => readEnd(command, end),
      (error: unknown) => Promise.reject(explainFailure(command, error)),
    )
  // Callers that only read the output need not check the exit status; an unhandled rejection would crash the service.
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended, stop, unref: child.unref, ref: child.ref }
}

function readEnd({ signal }: GitCommand, { exitCode, stderr }: ChildEnd): Omit<GitOutcome, 'stdout'> {
  signal.throwIfAborted()
  if (exitCode !== 0 && isDiskFull(stderr)) throw diskFull(stderr)
  return { exitCode: exitCode ?? 128, stderr }
}

/** git reports it only as text, in the language fixed by its environment. */
function isDiskFull(stderr: string): boolean {
  return /No space left on device|Disk quota exceeded/u.test(stderr)
}

/** As the system reports it, so that callers can distinguish it from a repository fault. */
function diskFull(stderr: string): Error {
  return Object.assign(new Error(`git found the disk full: ${stderr.trim()}`), { code: 'ENOSPC' })
}

/** @param error Why git could not be started, or was stopped. @returns What to throw. */
function explainFailure({ signal }: GitCommand, error: unknown): unknown {
  if (signal.aborted) return signal.reason
  if (!(error instanceof Error) || !('code' in error)) return error
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
 * Runs git to completion and collects its output.
 *
 * @returns The outcome for any exit code; a process killed by a signal counts as 128.
 * @throws {AppError} `invalid_request` if there is no git command.
 * @throws {Error} if it takes too long or writes too much; it is then stopped.
 * @throws The signal's reason if it is aborted.
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
 * Runs git where any nonzero exit code is an error of ours or of the repository, never an answer.
 *
 * @throws {Error} with git's message; otherwise as `runGit`.
 */
export async function runGitStrictly(command: GitCommand, limits: GitLimits = {}): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(command, limits)
  if (exitCode === 0) return stdout
  throw new Error(`git ${command.args[0]} exited with ${exitCode}: ${stderr.trim() || 'no reason given'}`)
}

const faultCharsMax = 300

/** What git calls the reason of a failure: the first such line of its messages. */
export function findReason(stderr: string): string {
  const line = stderr.split('\n').find((text) => /^(?:fatal|error):/.test(text)) ?? 'no reason given'
  return line.slice(0, faultCharsMax)
}

/** @returns A function that returns the whole output, or null if it was over the limit. */
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
