import { domainToUnicode } from 'node:url'
import { decodeAddress } from '../trees/source-path.ts'

/** Browsers ignore these inside a scheme. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const ignored = /[\u0000-\u0020\u007F-\u00A0\u00AD\u200B-\u200F\u2028-\u202F\u2060-\u2064\uFEFF]+/g
const scripts = /^(?:javascript|vbscript|livescript|mocha):/i
/** They show what they hold themselves, or start something on the reader's machine. */
const documents =
  /^(?:data|blob|file|filesystem|view-source|about|jar|mhtml|res|chrome[\w-]*|intent|shell|search(?:-ms)?|ms-[\w-]+):/i
const images = /^data:image\/(?:png|jpeg|gif|webp|avif);/i

/** An address as browsers take it, without what they ignore. */
export function readAddress(address: string): string {
  return decodeAddress(address).replace(ignored, '')
}

/** Whether following an address runs a script, shows a document that the address itself contains, or deceives about its host. */
export function isHarmfulAddress(address: string): boolean {
  const bare = address.replace(ignored, '')
  return scripts.test(bare) || (documents.test(bare) && !images.test(bare)) || hasDeceptiveHost(bare)
}

/** Also letters of phonetic alphabets, which are Latin. */
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u0250-\u02AF\u1D00-\u1DBF]/u
/** Cyrillic and Greek letters that look like Latin ones. */
const alike = /^[асԁеһіјӏорԛѕԝхуѵαεικνορτυχω\d-]+$/u

/**
 * A label that mixes scripts, or writes a Latin word in letters of another: browsers show it as what it is not. Below a
 * domain such as `.рф` nobody expects a Latin word.
 */
function hasDeceptiveHost(address: string): boolean {
  if (!/^(?:https?:)?[\\/]{2}/i.test(address)) return false
  const url = URL.parse(address, 'https://localhost')
  // The name of a user that looks like a host.
  if (url?.username.includes('.') === true) return true
  const labels = domainToUnicode(url?.hostname ?? '').split('.')
  const mayDeceive = !foreign.test(labels.at(-1) ?? '')
  return labels.some((label) => foreign.test(label) && (/[a-z]/.test(label) || (mayDeceive && alike.test(label))))
}

/** Whether a text is a script in the form of an address, wherever the text ends up. */
export function isScriptAddress(text: string): boolean {
  return scripts.test(text.slice(0, 200).replace(ignored, ''))
}

/** Whether a word of a field names an address, or a file outside of the site; versions and ellipses do not. */
export function isDistant(word: string): boolean {
  return isOutside(word) || /^~?\/(?:etc|proc|home|root|usr|var)\//.test(word)
}

/** Whether an address of a page leads out of the site. Folders of the system are only files. */
export function isOutside(word: string): boolean {
  return /:\/\/|^\/[\\/]|\.\.[\\/]/.test(word)
}
