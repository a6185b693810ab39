/** @jsxImportSource preact */
import { IconButton } from './icon.tsx'
import type { PanelContext } from './panel-context.ts'
import type { Turn } from './turn.ts'

interface RatingButtonsProps {
  context: PanelContext
  turn: Turn
  onRate: (helpful: boolean) => void
}

/** Two buttons of which one is pressed. */
export function RatingButtons({ context, turn, onRate }: RatingButtonsProps) {
  const { conversation, announcer, say } = context
  const rate = async (helpful: boolean) => {
    onRate(helpful)
    if (turn.helpful === helpful) return
    const isSent = await conversation.rate(turn, { helpful })
    announcer.say(isSent ? say(helpful ? 'thanks' : 'whyNotHelpful') : say('ratingFailed'))
  }
  return (
    <>
      <IconButton
        icon="up"
        label={say('helpful')}
        isSmall
        isPressed={turn.helpful === true}
        onClick={() => void rate(true)}
      />
      <IconButton
        icon="down"
        label={say('notHelpful')}
        isSmall
        isPressed={turn.helpful === false}
        onClick={() => void rate(false)}
      />
    </>
  )
}
