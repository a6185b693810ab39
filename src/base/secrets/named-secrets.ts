import { isCutBefore, isPlaceholder, isRandom } from './is-placeholder.ts'

/** A value that is a secret because of its context. */
export interface NamedSecret {
  kind: string
  value: string
  /** Offset of the value. */
  start: number
  isPublishable: boolean
}

/** Stands between a name and its value: quotes, brackets and what assigns. */
export const assignment = String.raw`[\\"'\x60\])]{0,4}[ \t]{0,8}(?:=>|:=|\|\||\?\?|[:=,(|>]|is|to|of)?[ \t]{0,8}[\\"'\x60(]{0,3}`
/** The same, where something has to assign, such as a line of a Dockerfile. */
const sign = String.raw`(?:[\\"'\x60\])*]{0,4}(?:[ \t]{0,8}|\n)(?:=>|:=|\|\||\?\?|[:=,(|>])(?:[ \t]{0,8}|[ \t]{0,2}[|>][+-]?\n[ \t]{1,20})[\\"'\x60(*]{0,4}(?:[ \t]\x60)?|(?<=\b(?:ENV|set -x)[ \t]{1,4}[\w.-]{1,60})[ \t]{1,4}["']?)`

/** Names that only sound like secrets: tokens of pages of a list, keys of tables, addresses of tokens. */
const harmless =
  /(?:page|next|prev|previous|continuation|cursor|csrf|xsrf|primary|foreign|partition|sort|cache|idempotency|hash|index|i18n)[_ -]?$/i
/** Harmless in code as well; in an environment variable, such a word says what the secret is for. */
const harmlessInCode =
  /(?:sync|start|stop|object|mint|design|lookup|image|(?<![a-z])(?:file|row|map)|group|message)[_ -]?$/i
const publicName = /(?:public|publishable|search|anon|site)[\w -]{0,20}$/i
const passwords =
  'passw(?:or[dt])?s?|passwd|passphrase|pwd|passcode|kennwort|mot de passe|contrase[nñ]a|senha|(?<![a-z])pass'
const passwordName = new RegExp(passwords, 'i')
const keys =
  "secrets?|tokens?|api[_ -]?keys?|api[_ -]?schlüssel|clé d['’]api|clave de (?:la )?api|jwt[:_.]{0,2}key|(?<=[a-z0-9]_)key|(?:access|account|admin|app|auth|client|consumer|deploy|encryption|integration|license|" +
  'master|private|read|secret|service|session|shared|signing|storage|subscription|webhook|write)[_ -]?keys?|credentials?'
/** Names go on, as in `TOKEN_PROD` and `SECRET_KEY_BASE`. */
const suffix = '(?:[_ -]?(?:prod(?:uction)?|live|staging|dev|base|value|hash|hex|pepper|v?[0-9]{1,2}))?'
/** A password or an API key is a secret whatever word precedes it, as in `IMAP_PASSWORD`. */
const neverHarmless = new RegExp(`^(?:api|${passwords})`, 'i')
const nameSign = /pass|pwd|secret|token|key|credential|kennwort|contrase|senha|schlüssel|clé d|clave de/i
const name = `(?<name>${passwords}|${keys})${suffix}`
const value = String.raw`(?<value>(?<=["'])[^\s"']{10,200}(?=\\?["'])|[^\s"'\x60,;<>()[\]{}|\\]{10,200})`

interface Shape {
  kind: string
  /** Every match contains it; cheap to search for before the pattern. */
  sign: RegExp
  /** With a group `value`, and perhaps `name`, `user` and `host`. */
  pattern: RegExp
  isSecret(value: string, match: RegExpMatchArray): boolean
}

const shapes: readonly Shape[] = [
  {
    kind: 'a password or a key by its name',
    sign: nameSign,
    pattern: new RegExp(name + sign + value, 'dgi'),
    isSecret: (text, { groups }) => isAssigned(text, groups?.['name']),
  },
  {
    kind: 'a password or a key in a sentence',
    sign: nameSign,
    pattern: new RegExp(
      String.raw`(?:${name})["'\x60*]{0,3}(?<words>(?:[ \t]+[a-z]{1,12}){0,5})[ \t]{0,2}[:=]?[ \t]+(?:["'\x60*(“]{0,3}(?<value>(?<=["'\x60])[^\s"'\x60]{10,200}(?=["'\x60])|[\w+/=.~-]{20,200}))`,
      'dgi',
    ),
    isSecret: (text, match) =>
      // Without an assignment, “pass” is a verb.
      !/^pass$/i.test(match.groups?.['name'] ?? '') &&
      isAssigned(text, match.groups?.['name']) &&
      /\d/.test(text) &&
      !/\b(?:address|at|commit|contract|hash|id|mint)\b/i.test(match.groups?.['words'] ?? ''),
  },
  {
    kind: 'an authorization header',
    sign: /authorization|bearer|basic|"auth"/i,
    pattern:
      /(?:(?:authorization|"auth)["'`]?[ \t]{0,3}[:=,][ \t]{0,3}["'`]?(?:[a-z]{3,12}[ \t]+)?|(?<![\w-])(?:bearer|basic)[ \t]+)["'`]?(?<value>[\w.~+/=:-]{16,400})/dgi,
    isSecret: (text) => isDrawn(decodeLogin(text)),
  },
  {
    kind: 'a password of a command',
    sign: /[ \t]-/,
    pattern:
      /(?:--?[a-z-]{0,30}(?:password|token|secret|api-?key)(?:[ \t]{1,3}|=)["'`]?|(?<![\w-])(?:-u|--user|-a|--auth)[ \t]{1,3}["']?(?:[^\s"':,]{1,100}[:,]|(?=[^\s"':,]{16,200}:(?:["'\s]|$))))(?<value>[^\s"'`<>]{10,200})/dgi,
    isSecret: isDrawn,
  },
  {
    kind: 'a password of a command',
    sign: /[ \t]-[apw]/,
    pattern:
      /\b(?:redis-cli|sshpass|mysql\w{0,6}|mariadb[\w-]{0,8}|mongo\w{0,8}|ldap\w{3,8}|cqlsh|(?:docker|podman|registry|az|oc) login)\b[^\n]{0,120}?[ \t]-[apw][ \t]?["']?(?<value>[^\s"'`<>|;&]{8,200})/dg,
    isSecret: isChosen,
  },
  {
    kind: 'a password of a login',
    sign: /:|\bmachine\b/,
    pattern:
      /^[ \t]*(?:(?:[\w.-]{1,120}|\*):(?:\d{2,5}|\*):(?:[\w.-]{1,60}|\*):(?:[\w.@-]{1,60}|\*):|machine\s{1,4}\S{1,120}\s{1,9}login\s{1,4}\S{1,120}\s{1,9}password\s{1,4})(?<value>\S{8,200})[ \t]*$/dgm,
    isSecret: isChosen,
  },
  {
    kind: 'an app password',
    sign: /pass/i,
    pattern:
      /pass(?:word)?s?(?:[_ -](?:app|gmail|google|smtp|mail))?["'\x60*)]{0,3}[ \t]{0,3}(?:[:=|]|is)[ \t]{0,3}["'\x60*]{0,3}(?<value>[a-z]{4}(?:[ -]?[a-z]{4}){3})(?![\w-]|[ ][a-z])/dgi,
    isSecret: (text) =>
      text === text.toLowerCase() && !isPlaceholder(text.replace(/[ -]/g, '')) && isUnpronounceable(text),
  },
  {
    kind: 'a value beside its name',
    sign: /value|default/i,
    pattern:
      /\b(?:(?:name|key)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?|variable[ \t]{1,3}")[\w.-]{0,60}(?:pass|password|passwd|token|secret|key|credential)s?["']?(?:[ \t]{0,3},?\s{1,40}["']?(?:string)?value|\s?\{[^{}]{0,200}?\bdefault)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?<value>[^\s"'`,{}<>]{10,200})/dgi,
    isSecret: isDrawn,
  },
  {
    kind: 'a cookie of a session',
    sign: /cookie|-b[ \t]/i,
    pattern:
      /(?:cookie|(?<![\w-])-b)[^\n]{0,200}?(?:sess|sid|auth|remember|login|jwt)[\w.-]{0,40}=(?<value>[^\s;,"'`]{20,400})/dgi,
    isSecret: isDrawn,
  },
  {
    kind: 'a private key of a wallet',
    sign: /0x[0-9a-f]{64}/i,
    pattern: /private[_ -]?key\w{0,12}[^\w\n]{1,6}0x(?<value>[0-9a-f]{64})(?![0-9a-f])/dgi,
    isSecret: isDrawn,
  },
  {
    kind: 'a secret key of AWS',
    sign: /A[KS]IA/,
    pattern:
      /(?<![A-Z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Z0-9])[\s\S]{1,200}?(?<![A-Za-z0-9+/=-])(?<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dg,
    isSecret: isDrawn,
  },
  {
    kind: 'a token of Twilio',
    sign: /AC[0-9a-f]{32}/,
    pattern:
      /(?<![A-Za-z0-9])AC[0-9a-f]{32}(?![0-9a-f])[\s\S]{1,160}?(?<![A-Za-z0-9-])(?<value>[0-9a-f]{32})(?![A-Za-z0-9])/dg,
    isSecret: isDrawn,
  },
  {
    kind: 'a password in an address',
    sign: /:\/\/[^\s/]*@/,
    pattern:
      /(?<=[a-z]:\/\/)(?<user>[^\s/?#:@[\]]{0,200}):(?<value>[^\s/?#@[\]]{1,400})@(?<host>[^\s/:?#"'<>`]{0,200})/dgi,
    isSecret: (text, { groups }) =>
      text !== groups?.['user'] && !localHost.test(groups?.['host'] ?? '') && isChosen(text),
  },
]

const localHost =
  /^(?:localhost|127\.|0\.0\.0\.0|host$|hostname|host\.docker|example\.|[\w.-]*\.(?:example|test|invalid|localhost)$|[\w.-]*example\.(?:com|org|net)$)/i

/** Finds what a name, an option, an address or an id beside it makes a secret. Linear time: repetitions are bounded. */
export function findNamedSecrets(text: string): NamedSecret[] {
  const named = shapes.flatMap(({ kind, sign: mark, pattern, isSecret }) => {
    if (!mark.test(text)) return []
    return [...text.matchAll(pattern)].flatMap((match) => {
      const [from = 0] = match.indices?.groups?.['value'] ?? []
      const written = match.groups?.['value'] ?? ''
      const { length } = inner.exec(written)?.[0] ?? ''
      const start = from + length
      const value = written.slice(length).replace(/&\w+=.*$|[.,:;!?*)'"`\\]{1,10}$/, '')
      const rest = text.slice(start + value.length, start + value.length + 3)
      const before = textBeforeName(text, match)
      const called = match.groups?.['name'] ?? ''
      const isVariable = called === called.toUpperCase()
      const soundsHarmless = harmless.test(before) || (!isVariable && harmlessInCode.test(before))
      const isHarmless = soundsHarmless && !neverHarmless.test(called)
      if (/^[([]/.test(rest) || isCutBefore(rest) || isHarmless || !isSecret(value, match)) return []
      return [{ kind, value, start, isPublishable: publicName.test(before) }]
    })
  })
  return [...named, ...findInTables(text)]
}

/** Before the value: its encoding, or the name again, as in `key: base64:…` and `key: KEY=…`. */
const inner = /^(?:base64:|[A-Za-z_]\w{2,40}=(?=[^=]))/
/** The delimiter row of a table, trimmed. */
const rule = /^\|?[ \t]*:?-[-:| \t]*$/
const cellCharsMax = 300
const columnName = new RegExp(`^[\\s*\`]*(?:[\\w -]{0,20}[ _-])?(?<name>${passwords}|${keys})${suffix}[\\s*\`]*$`, 'i')

/** Finds secrets in tables with such column names. */
function findInTables(text: string): NamedSecret[] {
  if (!text.includes('|') || !nameSign.test(text)) return []
  const found: NamedSecret[] = []
  let names: readonly (string | undefined)[] = []
  let [before, offset] = ['', 0]
  for (const line of text.split('\n')) {
    if (!line.includes('|')) names = []
    else if (rule.test(line.trim())) names = before.split('|').map((cell) => columnName.exec(cell)?.groups?.['name'])
    else {
      let start = offset
      for (const [index, cell] of line.split('|').entries()) {
        const name = names[index]
        const written = name === undefined ? '' : cell.trim()
        const value = written.length > cellCharsMax ? '' : written.replace(/^[\s*`]+|[\s*`]+$/g, '')
        if (name !== undefined && isAssigned(value, name))
          found.push({
            kind: 'a password or a key in a table',
            value,
            start: start + cell.indexOf(value),
            isPublishable: false,
          })
        start += cell.length + 1
      }
    }
    before = line
    offset += line.length + 1
  }
  return found
}

/** What qualifies the name, as in `pageToken` and `search api key`; empty if there is no name. */
function textBeforeName(text: string, { indices }: RegExpMatchArray): string {
  const [from = 0] = indices?.groups?.['name'] ?? []
  return text.slice(Math.max(0, from - 30), from)
}

function isAssigned(text: string, name = ''): boolean {
  if (text.length >= 16) return isDrawn(text)
  return passwordName.test(name) && (isDrawn(text) || (isPassword(text, 3) && !isPlaceholder(text)))
}

/** Drawn by chance, and not what documentation shows in its place. */
function isDrawn(text: string): boolean {
  return text.length >= 10 && isRandom(text) && !isPlaceholder(text)
}

/** A password where only a password can be. */
function isChosen(text: string): boolean {
  return isDrawn(text) || (isPassword(text, 2) && !isPlaceholder(text))
}

/** Whether it has sequences of letters that words do not have, in at least two places. */
function isUnpronounceable(text: string): boolean {
  const odd =
    /[^aeiouy -]{4}|q[^u]|[jqvxz][^aeiouy -]|[^aeiouysn -][jqvxz]|[aeiou]{3}|\b[^aeiouy -]{3}|(?:^|-| )[^aeiouy -]{4}/g
  return (text.match(odd)?.length ?? 0) >= 2 || /(?:^|[ -])[^aeiouy -]{4}(?:$|[ -])/.test(text)
}

/** Not a word with a year behind it. @param kinds Of lower case, upper case, digits and signs that it mixes. */
function isPassword(text: string, kinds: number): boolean {
  const mixed = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length
  const isName = /^[A-Za-z_-]+\d{0,4}[!?#]?$|^[A-Z]+\d{0,4}(?:[-_.][A-Z\d]{1,4})+$|[{}<>$]/.test(text)
  return text.length >= 8 && mixed >= kinds && /\d/.test(text) && !isName
}

/** The password of basic credentials, or the text itself. */
function decodeLogin(text: string): string {
  const [, password] = /^[\x20-\x7E]*?:([\x20-\x7E]+)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? []
  return password ?? text
}
