import { feedbackReasons } from '../bot-event.ts'
import type { ChatReply } from '../bot-platform.ts'

/** Types of components, and the style of a plain button. */
const component = { row: 1, button: 2, select: 3 } as const
const plainStyle = 2
const suppressEmbeds = 4

export function writeDiscordMessage({ sections, answerId }: ChatReply, { canShare }: { canShare: boolean }) {
  return {
    content: sections.join('\n\n'),
    components: answerId === null ? [] : [row(listButtons(answerId, canShare))],
    flags: suppressEmbeds,
    allowed_mentions: { parse: [] },
  }
}

function listButtons(answerId: string, canShare: boolean) {
  const feedback = [button('helpful', 'Helpful', answerId), button('not_helpful', 'Not helpful', answerId)]
  return canShare ? [...feedback, button('share', 'Share', answerId)] : feedback
}

function button(name: string, label: string, answerId: string) {
  return { type: component.button, style: plainStyle, label, custom_id: `${name}:${answerId}` }
}

function row<Component>(components: Component[]) {
  return { type: component.row, components }
}

export function askReason(answerId: string) {
  const options = Object.entries(feedbackReasons).map(([value, label]) => ({ value, label }))
  const select = {
    type: component.select,
    custom_id: `reason:${answerId}`,
    placeholder: 'Choose a reason',
    options,
  }
  return { content: 'Thank you. What is wrong with it?', components: [row([select])] }
}
