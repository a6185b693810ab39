const unsafe = /[^\p{L}\p{N}\p{M}\-._~/:#?=&%+@!$,;]/gu
/** Renderers decode these, so that another address would come out than the one that was checked. */
const referenceLike = /&(?=#?\w+;)/g

/** A target that no renderer reads otherwise: what could end or change it is percent-encoded. */
export function writeTarget(target: string): string {
  return target.trim().replace(unsafe, encode).replace(referenceLike, '%26')
}

/** `//host` and `/\host` are addresses of other sites. */
export function isLocalTarget(target: string): boolean {
  return target.startsWith('/') && !/^\/[/\\]/.test(target)
}

/** Half a character has no bytes. */
function encode(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 128) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
  return code >= 0xd800 && code <= 0xdfff ? '' : encodeURIComponent(character)
}
