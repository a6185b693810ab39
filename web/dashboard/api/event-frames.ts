/** An event of a stream: its number, and what it carries. */
export interface NumberedEvent<Event> {
  seq: number
  event: Event
}

/**
 * Takes frames of server-sent events out of text that comes in pieces of any size. Comments are passed over, and so is
 * what cannot be read.
 */
export class EventFrames<Event> {
  #text = ''

  /** @returns The events that have come to their end. */
  push(piece: string): NumberedEvent<Event>[] {
    const frames = (this.#text + piece).split('\n\n')
    this.#text = frames.pop() ?? ''
    return frames.flatMap((frame) => readFrame<Event>(frame) ?? [])
  }
}

function readFrame<Event>(frame: string): NumberedEvent<Event> | null {
  const lines = frame.split('\n')
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const [seq, data] = [field('id'), field('data')]
  if (seq === undefined || data === undefined) return null
  try {
    // Of the shape that the contract gives it: page and service are one version.
    return { seq: Number(seq), event: JSON.parse(data) as Event }
  } catch {
    return null
  }
}
