/** A question that contains a pasted error, log or stack. */
export interface PastedError {
  /** What the reader wrote around it; may be empty. */
  own: string
  /** What says what went wrong, without frames, paths, addresses, times and hashes. */
  message: string
}

/** Pasted logs can be endless; the error is at their beginning or end. */
const linesMax = 400
const lineCharsMax = 500
const messageLinesMax = 6
const furtherLinesMax = 4
const messageCharsMax = 600
const frameNamesMax = 2

/** A line of a stack or of quoted source: JavaScript, Java, C#, Python, Ruby, PHP, Go, Rust, gdb. */
const frames: readonly RegExp[] = [
  /^\s*at\s.*(?:(?::(?:line )?|\bline )\d+|Native Method|Unknown Source|<anonymous>)|^\s*\.\.\. \d+ (?:more|common)/,
  /^\s*File "|^\s*from \S+:\d+(?::in\b|\s*$)|^\s*#\d+ (?:\S+\(\d+\)|\{main\})/,
  /^\s*#\d+\s+(?:0x[\da-f]+ in\b|\S+ \(.*\) at )|^goroutine \d+ \[|^created by \S|^\s+\S+\.go:\d+|^\s+\d+:\s+(?:0x[\da-f]+|\S+$)/,
  /^\s*>?\s*\d+\s*\||^[|\s]*\^+[\s^~|]*$|\(\d+:\d+\)(?: @ \S+)?\s*$/,
]
/** A line that names an error at its beginning, or is one of a log. */
const errorLines: readonly RegExp[] = [
  /^\W*(?:\S+\s+){0,4}?[\w$.:\\]*(?:[Ee]rror|Exception|Panic|Fault|Failure)(?:\s*[[(][^\])]{0,40}[\])])?:/,
  /^\W*(?:error|fatal|panic|caused by|uncaught|unhandled|traceback)\b(?:\[\w+\]|\s[a-z]+\d+)?\s*[:!(]/i,
  /^(?:npm|yarn|pnpm) (?:err!|error|warn\b)|^thread '.*' panicked|\bHTTP\/\d\S* [45]\d\d/i,
  /^\s*FAIL\s|^\W*\[?(?:ERROR|FATAL|CRITICAL|SEVERE|WARN(?:ING)?|NOTICE)\b|^\s*[✗✘×⨯▲⚠]\s/,
  // Names of errors without the word “error”, as in Python and Ruby, and codes before a message.
  /^\s*(?:[A-Z]\w*::(?:\w+::)*[A-Z]\w*|[a-z]\w*\.(?:\w+\.)*[A-Z]\w+): \S|\([A-Z]\w*(?:::[A-Z]\w*)+\)\s*$|^\s*E(?!X)[A-Z]{6,}\b[ :]/,
  // Ruby, and compilers.
  /:\d+:in [`'][^'`\n]{1,80}': \S|^\s*\S+:\d+(?::\d+)?: (?:\[BUG\]|(?:(?:fatal )?error|warning)\b)/i,
  // Log lines that begin with the name of their writer.
  /^\s*(?:\[[^\][\n]{1,40}\]\s*){1,4}(?:[:›»]\s|[✖✗⚠])/,
  // Shells, and commands that start others.
  /^\W*(?:-?(?:ba|z|da|k|fi)?sh|sudo|env|exec)(?:: line \d+)?: .*(?:not found|no such file|permission denied)/i,
  // Programs that name themselves first, and logs that name their writer before how bad it is.
  /^\s*[a-z][\w.+/-]{0,60}: (?:.{0,200}\b)?(?:failed to|cannot|can't|unable to|not found|no such|denied)\b[^?]*$/,
  /^\S{1,80} \[?(?:ERROR|FATAL|CRITICAL|WARN(?:ING)?)\]? |^\s*(?:segmentation fault|bus error|aborted|killed)\b[^?]*$|\(core dumped\)/i,
  // A chain of causes, as Go programs print it.
  /^\W*(?:failed to|cannot|could not|couldn't|unable to)\b[^?]*?:\s[^?]*?:\s/i,
  /^\W*(?:error|failure)(?: [a-z]+){1,4}: /i,
  // Rules of linters, such as `no-var: Unexpected var, use let` and `jinja[spacing]: …`, and what test runners say was thrown.
  /^\s*[a-z]\w*(?:-\w+){1,6}(?:\[[\w-]+\])?: (?!I\b)(?:\S+ ){2}[^?]*$|^\s*[a-z]\w*\[[\w-]+\]: \S|^\s*thrown: \S/,
  // Structured logs.
  /(?:^|\s)(?:err|error)="?\S|(?:^|\s)(?:level|lvl|severity)="?(?:err|warn|fatal|panic|crit)/i,
]
/** Output below it is pasted too. */
const commandLine =
  /^\s*(?:[$%❯]\s+\S|(?:sudo\s+)?(?:curl|wget|npm|npx|pnpm|yarn|docker|podman|kubectl|helm|git|pip3?|python3?|node|deno|bun|go|cargo|make)\s+[\w.-]+\s*\S*(?!.*\?\s*$))/
/** What a log puts before each line. */
const timestamp =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} {1,2}\d{1,2} )?\d\d:\d\d:\d\d\S{0,20}\s{1,3}(?:\[\S{1,40}\]\s?){0,3}/
/** What tools print about their work. */
const logLine = /^\W*\d{4}-\d\d-\d\d[T ]\d|^\s*[✓✔⠋●]\s|^> \S/
const errorBody = /^\s*[[{].*"(?:errors?|error_\w+|message|detail|details|msg|code|status|statusCode)"\s*:/
/** Says what went wrong, in a line that is known to be pasted. */
const complaint =
  /\b(?:cannot|can't|could not|couldn't|unable|failed|failure|not found|is not|isn't|no such|denied|refused|rejected|blocked|timed? out|timeout|unexpected|undefined|invalid|missing|required|exceeded|unknown|unsupported|does not exist|dead link)\b/i
/** What every failure says. */
const empty =
  /^\s*(?:traceback|stack ?trace|stack backtrace|call stack|require stack|source\s*$|note: run with|location:|hint:\s*$|>\s)|most recent call last|exit(?:ed)?(?: with)?(?: status| exit)? code|\bELIFECYCLE\b|\berrno\b|^\s*exit status|^\s*thrown in\b|complete log of this run/i
/** The reader's own words: a sentence without the signs of code. */
const sentence = /^\s*[\p{L}"'“¿¡][^{}()=<>|[\]]*\p{L}[^{}()=<>|[\]]*$/u
/** A line of a printed object, as programs add them to an error. */
const property = /^\s*['"]?[\w$.-]+['"]?: (?:['"`[{\d]|true\b|false\b|null\b|undefined\b)|,\s*$/
const libraryCode =
  /node_modules|(?:site|dist)-packages|\/usr\/(?:local\/)?lib|node:|\binternal\/|\/pkg\/mod\/|\.cargo|rustc|\/gems\/|\bvendor\/|webpack|<frozen|\b(?:java|javax|jdk|sun|kotlin|System|Microsoft)\.|<anonymous>/
const frameName = /^\s*at (?:async |new )?(?!line\b)([\w$.]+)(?![\w$.:/])|(?:,|\d) in (\w+)\s*$|in [`']([\w#.]+)'/
const unnamed = /^(?:main|module|Object|anonymous|async|new|run|call|setup|index|default)$/

/**
 * Separates a pasted error from the reader's own words, so that what is searched for is what went wrong. Null if nothing
 * was pasted. Linear in the length of the text.
 */
export function readPastedError(text: string): PastedError | null {
  const lines = keepEnds(text.split('\n')).map((line) => line.slice(0, lineCharsMax))
  const isCommand = lines.map((line) => commandLine.test(line))
  const isRefused = (line: string, index: number) => isCommand[index - 1] === true && complaint.test(line)
  const isMarked = lines.map((line, index) => isFrameLine(line) || namesError(line) || isRefused(line, index))
  if (!isMarked.includes(true)) return null
  const isPasted = lines.map((line, index) => isMarked[index] || isCommand[index] || logLine.test(line))
  const [first, last] = [isPasted.indexOf(true), isPasted.lastIndexOf(true)]
  const start = first - countBesides(lines.slice(0, first).reverse())
  const end = last + 1 + countBesides(lines.slice(last + 1))
  const pasted = lines.slice(start, end)
  const own = [...lines.slice(0, start), ...lines.slice(end)].filter((line) => !empty.test(line))
  return {
    own: own.map(dropNoise).filter(Boolean).join(' '),
    message: [...listMessageLines(pasted), ...listOwnFrames(pasted)].join('\n'),
  }
}

/** The text as it is searched: the reader's words first, then the message of a pasted error. */
export function cutPastedError(text: string): string {
  const pasted = readPastedError(text)
  return pasted === null ? text : [pasted.own, pasted.message].filter((part) => part !== '').join('\n') || text
}

const isFrameLine = (line: string): boolean => frames.some((frame) => frame.test(line))

function namesError(line: string): boolean {
  const bare = line.replace(timestamp, '')
  return errorBody.test(bare) || errorLines.some((error) => error.test(bare))
}

function keepEnds(lines: string[]): string[] {
  return lines.length <= linesMax ? lines : [...lines.slice(0, linesMax / 2), ...lines.slice(-linesMax / 2)]
}

/** How many of the lines next to marked ones were pasted with them. */
function countBesides(lines: readonly string[]): number {
  const end = lines.findIndex((line) => line.trim() === '' || (sentence.test(line) && !property.test(line)))
  return end === -1 ? lines.length : end
}

/** The lines with an error, and what follows them. What a build prints before it fails is not part of the message. */
function listMessageLines(lines: readonly string[]): string[] {
  const told = lines.filter((line, index) => !isFrame(lines, index) && !empty.test(line) && line.trim() !== '')
  const complains = told.map((line) => namesError(line) || complaint.test(line) || serverCommand.test(line))
  const first = complains.indexOf(true)
  let [main, further, chars] = [0, 0, 0]
  return told.flatMap((line, index) => {
    const isMain = complains[index] === true
    const isKept = isMain ? main++ < messageLinesMax : index > first && further++ < furtherLinesMax
    const clean = isKept ? dropNoise(line) : ''
    chars += clean.length
    return clean === '' || chars > messageCharsMax + lineCharsMax ? [] : [clean]
  })
}

/** Python quotes the source of a frame on the line below it; Go names the function on the line above. */
function isFrame(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (isFrameLine(line)) return true
  if (/^\s+\S+\.go:\d/.test(lines[index + 1] ?? '')) return true
  return /^\s+File "/.test(lines[index - 1] ?? '') && /^\s/.test(line)
}

function listOwnFrames(lines: readonly string[]): string[] {
  const own = lines.filter((line, index) => isFrame(lines, index) && !libraryCode.test(line))
  const names = own.flatMap((line) => frameName.exec(line)?.slice(1).find(Boolean) ?? [])
  return [...new Set(names.filter((name) => !unnamed.test(name)))].slice(0, frameNamesMax)
}

const bracketsAround = /^[([{'"`<,;]+|[)\]}'"`>,;:.]+$/g
const noiseTokens: readonly RegExp[] = [
  /^(?:file|webpack[\w-]*|rsc|about):|^node:/i,
  // Paths, of files with a line number too.
  /^(?:[a-z]:)?[^@\s]*[\\/][^\s]*[\\/]|^\.{0,2}[\\/]|[\\/].*\.\w{1,5}(?::\d+)*$|\.\w{1,5}:\d+(?::(?:\d+|in))?$/i,
  // Times, addresses and line numbers.
  /^\d{4}-\d\d-\d\d(?:T\S*)?$|^\d\d?:\d\d(?::\d\d\S*)?$|^\d+(?:\.\d+){3}(?::\d+)?$|^localhost(?::\d+)?\S*$|^\d+:\d+$/,
  // Hashes, memory and identifiers of requests.
  /^0x[\da-f]+$|^(?=\w*\d)[\da-f]{7,}$|^[\da-f]{8}-[\da-f-]{20,}$|^(?=.*\d)(?=.*[a-z])[\w:-]{24,}$/i,
  // Versions, and packages with theirs.
  /^(?:@[\w.-]+\/)?[\w.-]+@["'^~>=<]*\d|^["'^~>=<]*v?\d+\.\d+\.\d+/,
  // Counts and durations; three digits can be a status.
  /^(?:\d{1,2}|\d{4,}|\d+\/\d+)$|^\d+(?:\.\d+)?(?:ms|s|kb|mb)$|^(?:line|errno)$/i,
]

function dropNoise(line: string): string {
  const isAsked = serverCommand.test(line)
  const isJson = errorBody.test(line) || /^\s*"\w+"\s*:/.test(line)
  const text = isJson ? listValues(line) : (listFields(line) ?? (isAsked ? line.replace(besidesAddress, '') : line))
  return text
    .split(/\s+/)
    .map((token) => readUrl(token.replace(bracketsAround, ''), isAsked) ?? token)
    .filter((token) => !noiseTokens.some((noise) => noise.test(token.replace(bracketsAround, '').slice(0, 120))))
    .join(' ')
    .trim()
}

/** Commands that matter themselves; of others, the output says more. */
const serverCommand = /^\s*(?:[$%❯]\s+)?(?:curl|wget)\s/
const besidesAddress =
  /^\s*(?:[$%❯]\s+)?(?:curl|wget)(?=\s)|\s-{1,2}[\w-]+(?=\s|$)|\s(?:GET|POST|PUT|PATCH|DELETE)(?=\s|$)/g
/** Of a line of a log, they say when and where it was written, and how bad it is. */
const aboutLine =
  /^(?:t|ts|time|timestamp|level|lvl|severity|status|caller|logger|component|source|host(?:name)?|pid|file|line|stack(?:trace)?|\w*_?id)$/i

/** The property values of a line of JSON. */
function listValues(line: string): string {
  const strings = [...line.matchAll(/(?:"(\w+)"\s*:\s*)?"((?:[^"\\]|\\.)*)"(\s*:)?/g)]
  return strings.flatMap(([, key = '', value, colon]) => (colon || aboutLine.test(key) ? [] : [value])).join(' ')
}

/** The fields of a structured log line that describe the error; null if it is not one. */
function listFields(line: string): string | null {
  const fields = [...line.matchAll(/(?:^|\s)([\w.]+)=(?:"((?:[^"\\]|\\.)*)"?|(\S*))/g)]
  const told = fields.filter(([, key = '']) => /^(?:err|error|msg|message|reason|cause|detail)$/i.test(key))
  return told.length === 0 || fields.length < 2 ? null : told.map(([, , quoted, bare]) => quoted ?? bare).join(' ')
}

/** Error messages link to explanations, whose address ends with their name, and so do addresses that were asked. */
function readUrl(token: string, isAsked: boolean): string | null {
  const url = /https?:\/\/([^/\s]+)(\S*)/i.exec(token)
  if (url === null) return null
  const isOwn = /^(?:localhost|\d+\.|\[)/.test(url[1] ?? '')
  const path = (url[2] ?? '').replace(/[?#].*$/, '')
  return isOwn && !isAsked ? '' : (path.split('/').findLast(Boolean) ?? '')
}
