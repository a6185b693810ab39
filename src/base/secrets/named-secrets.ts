import { isCutBefore, isPlaceholder, isRandom } from './is-placeholder.ts'

/** A value that is a secret because of what stands around it. */
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
const sign = String.raw`(?:[\\"'\x60\])*]{0,4}[ \t]{0,8}(?:=>|:=|\|\||\?\?|[:=,(|>])[ \t]{0,8}[\\"'\x60(*]{0,4}|(?<=\bENV[ \t]{1,4}[\w.-]{1,60})[ \t]{1,4}["']?)`

/** Names that only sound like secrets: tokens of pages of a list, keys of tables, addresses of tokens. */
const harmless =
  /(?:page|next|prev|previous|continuation|sync|cursor|csrf|xsrf|start|stop|primary|foreign|partition|sort|cache|idempotency|object|mint|design)[_ -]?$/i
const publicName = /(?:public|publishable|search|anon|site)[\w -]{0,20}$/i
const passwords = 'passw(?:or)?ds?|passwd|passphrase|pwd|passcode|(?<![a-z])pass'
const keys =
  'secrets?|tokens?|api[_ -]?keys?|(?:access|account|admin|app|auth|client|consumer|deploy|encryption|integration|license|' +
  'master|private|read|secret|service|session|shared|signing|storage|subscription|webhook|write)[_ -]?keys?|credentials?'
/** Names go on, as in `TOKEN_PROD` and `SECRET_KEY_BASE`. */
const suffix = '(?:[_ -]?(?:prod(?:uction)?|live|staging|dev|base|value|hash|hex|v?[0-9]{1,2}))?'
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
    sign: /pass|pwd|secret|token|key|credential/i,
    pattern: new RegExp(name + sign + value, 'dgi'),
    isSecret: isAssigned,
  },
  {
    kind: 'a password or a key in a sentence',
    sign: /pass|pwd|secret|token|key|credential/i,
    pattern: new RegExp(
      String.raw`(?:${name})["'\x60*]{0,3}(?<words>(?:[ \t]+[a-z]{1,12}){0,5})[ \t]{0,2}[:=]?[ \t]+(?:["'\x60*(“]{0,3}(?<value>(?<=["'\x60])[^\s"'\x60]{10,200}(?=["'\x60])|[\w+/=.~-]{20,200}))`,
      'dgi',
    ),
    isSecret: (text, match) =>
      isAssigned(text, match) &&
      /\d/.test(text) &&
      !/\b(?:address|at|commit|contract|hash|id|mint)\b/i.test(match.groups?.['words'] ?? ''),
  },
  {
    kind: 'an authorization header',
    sign: /authorization|bearer|basic/i,
    pattern:
      /(?:authorization["'`]?[ \t]{0,3}[:=,][ \t]{0,3}["'`]?(?:[a-z]{3,12}[ \t]+)?|(?<![\w-])(?:bearer|basic)[ \t]+)["'`]?(?<value>[\w.~+/=:-]{16,400})/dgi,
    isSecret: (text) => isDrawn(decodeLogin(text)),
  },
  {
    kind: 'a password of a command',
    sign: /--?(?:[a-z-]{0,30}(?:password|token|secret|api-?key|user)|u)[ \t=]/i,
    pattern:
      /(?:--?[a-z-]{0,30}(?:password|token|secret|api-?key)(?:[ \t]{1,3}|=)["'`]?|(?<![\w-])(?:-u|--user)[ \t]{1,3}["']?[^\s"':]{1,100}:)(?<value>[^\s"'`<>]{10,200})/dgi,
    isSecret: isDrawn,
  },
  {
    kind: 'a value beside its name',
    sign: /value/i,
    pattern:
      /\b(?:name|key)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?[\w.-]{0,60}(?:pass|password|passwd|token|secret|key|credential)s?["']?[ \t]{0,3},?\s{1,40}["']?(?:string)?value["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?<value>[^\s"'`,{}<>]{10,200})/dgi,
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
      text !== groups?.['user'] &&
      !localHost.test(groups?.['host'] ?? '') &&
      (isDrawn(text) || (isPassword(text, 2) && !isPlaceholder(text))),
  },
]

const localHost =
  /^(?:localhost|127\.|0\.0\.0\.0|host$|hostname|host\.docker|example\.|[\w.-]*\.(?:example|test|invalid|localhost)$|[\w.-]*example\.(?:com|org|net)$)/i

/** Finds what a name, an option, an address or an id beside it makes a secret. Linear time: repetitions are bounded. */
export function findNamedSecrets(text: string): NamedSecret[] {
  return shapes.flatMap(({ kind, sign: mark, pattern, isSecret }) => {
    if (!mark.test(text)) return []
    return [...text.matchAll(pattern)].flatMap((match) => {
      const [start = 0] = match.indices?.groups?.['value'] ?? []
      const value = (match.groups?.['value'] ?? '').replace(/[.,:;!?*)'"`\\]{1,10}$/, '')
      const rest = text.slice(start + value.length, start + value.length + 3)
      const before = textBeforeName(text, match)
      if (/^[([]/.test(rest) || isCutBefore(rest) || harmless.test(before) || !isSecret(value, match)) return []
      return [{ kind, value, start, isPublishable: publicName.test(before) }]
    })
  })
}

/** What qualifies the name, as in `pageToken` and `search api key`; empty where there is no name. */
function textBeforeName(text: string, { indices }: RegExpMatchArray): string {
  const [from = 0] = indices?.groups?.['name'] ?? []
  return text.slice(Math.max(0, from - 30), from)
}

function isAssigned(text: string, { groups }: RegExpMatchArray): boolean {
  if (text.length >= 16) return isDrawn(text)
  return new RegExp(passwords, 'i').test(groups?.['name'] ?? '') && isPassword(text, 3) && !isPlaceholder(text)
}

/** Drawn by chance, and not what documentation shows in its place. */
function isDrawn(text: string): boolean {
  return text.length >= 10 && isRandom(text) && !isPlaceholder(text)
}

/** Not a word with a year behind it. @param kinds Of lower case, upper case, digits and signs that it mixes. */
function isPassword(text: string, kinds: number): boolean {
  const mixed = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length
  return text.length >= 8 && mixed >= kinds && /\d/.test(text) && !/^[A-Za-z_-]+\d{0,4}[!?#]?$|[{}<>$]/.test(text)
}

/** The password of basic credentials, or the text itself. */
function decodeLogin(text: string): string {
  const [, password] = /^[\x20-\x7E]*?:([\x20-\x7E]+)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? []
  return password ?? text
}
