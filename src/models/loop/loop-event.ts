import type { AnswerEvent } from '../../contract/answer-event.ts'

/** The events of an answer that originate from the model and its tools. */
export type LoopEvent = Exclude<
  AnswerEvent,
  {
    type: 'answer-started' | 'answer-finished' | 'answer-failed' | 'source-cited' | 'sentence-cited' | 'pages-suggested'
  }
>
