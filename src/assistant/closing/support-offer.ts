/**
 * The sentence that offers the owner's contact when a question stays unanswered.
 *
 * @param contact An e-mail address or a URL, validated when it was set.
 * @param threadId Added to a URL, so that support can read the conversation.
 */
export function writeSupportOffer(contact: string, threadId: string): string {
  if (!/^https?:\/\//i.test(contact)) return `\n\nFor help, write to [${contact}](mailto:${encodeURI(contact)}).`
  const url = new URL(contact)
  const name = url.host + url.pathname.replace(/\/$/, '')
  url.searchParams.set('threadId', threadId)
  return `\n\nFor help, go to [${name}](${url.href.replace(/[()]/g, encodeParenthesis)}).`
}

function encodeParenthesis(mark: string): string {
  return mark === '(' ? '%28' : '%29'
}
