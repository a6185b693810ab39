const triggers = ['submit-message', 'regenerate-message'] as const

/** What `client` of a body says if an AI SDK sends it. */
export const sdkClient = 'ai-sdk'

/** Reason of a request from AI SDK 5 or later. */
export type ChatTrigger = (typeof triggers)[number]

/** Null if the body names no known trigger. */
export function readTrigger(body: object): ChatTrigger | null {
  const trigger: unknown = 'trigger' in body ? body.trigger : undefined
  return triggers.find((known) => known === trigger) ?? null
}

/**
 * Whether a body was made by an AI SDK 5 or later. Its release cannot be inferred from a request, so all of them are served
 * what the strictest takes. The body that the SDK makes itself has a trigger. Where an application makes the body, the
 * user messages that `sendMessage` built show it: their keys have an order of their own, and their ids have 16
 * characters. So do earlier answers, in which the SDK marks where steps begin. An application that builds the messages
 * too declares itself.
 *
 * @param body What the JSON held, with its keys in their original order.
 */
export function isSdkRequest(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  if (readTrigger(body) !== null || ('client' in body && body.client === sdkClient)) return true
  const messages: unknown = 'messages' in body ? body.messages : undefined
  return Array.isArray(messages) && messages.some((message) => isSdkUserMessage(message) || isSdkAnswer(message))
}

function isSdkUserMessage(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('id' in message)) return false
  const keys = Object.keys(message).join()
  const isInOrder = keys === 'parts,id,role' || keys === 'parts,id,role,metadata'
  return isInOrder && typeof message.id === 'string' && /^[A-Za-z0-9]{16}$/.test(message.id)
}

function isSdkAnswer(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('parts' in message) || !Array.isArray(message.parts))
    return false
  const marks = (part: unknown) =>
    typeof part === 'object' && part !== null && 'type' in part && part.type === 'step-start'
  return message.parts.some(marks)
}
