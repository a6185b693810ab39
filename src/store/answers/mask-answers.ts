import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AskedContext, Message } from './messages.ts'
import type { WriteGroup } from '../write-group.ts'

/** A write group that masks secrets and personal data in questions and answers. */
export function maskAnswers(writes: WriteGroup): WriteGroup {
  return {
    ...writes,
    add: (record) => writes.add({ ...record, messages: record.messages.map(maskMessage) }),
  }
}

/** These come from the client and may contain anything. */
function maskAsked(asked: AskedContext): AskedContext {
  const mask = (text: string | null) => text && maskSecrets(text)
  const { currentPath, version, language } = asked
  return { ...asked, currentPath: mask(currentPath), version: mask(version), language: mask(language) }
}

/** Verdict reasons quote the answer. */
function maskMessage(message: Message): Message {
  const { text, verdictReasons, asked } = message
  return {
    ...message,
    text: maskSecrets(text),
    verdictReasons: verdictReasons.map(maskSecrets),
    asked: asked && maskAsked(asked),
  }
}
