/** Pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** The largest fixed price of an image: four tiles of Llama 3.2. */
const tokensMin = 6_500
/** Assumed of an image whose size is unknown: the largest that questions may contain. */
const sizeMax: ImageSize = { width: 8_000, height: 8_000 }

/** `gpt-4o-mini`, whose price per token is a thirtieth of that of its images: at most 8 tiles. */
const expensiveModels = /\bgpt-4o-mini\b/
const expensiveTokens = 2_833 + 8 * 5_667

/**
 * An upper bound of the input tokens that an image costs.
 *
 * By the published rules, of which the largest counts: OpenAI, patches of 32 pixels, at most 10,000, times 2.46 for the
 * smallest models; Gemini, 258 for each tile of two thirds of the shorter side, between 256 and 768 pixels; Qwen,
 * patches of 28 pixels, at most 16,384. Claude (at most 4,784) and Pixtral (at most 4,160) lie below `tokensMin`.
 *
 * @param modelId `provider/model`.
 */
export function estimateImage(modelId: string, size: ImageSize = sizeMax): number {
  if (expensiveModels.test(modelId)) return expensiveTokens
  const tile = Math.min(768, Math.max(256, Math.floor(Math.min(size.width, size.height) / 1.5)))
  const rules = [
    Math.min(10_000, countTiles(size, 32)) * 2.46,
    countTiles(size, tile) * 258,
    Math.min(16_384, countTiles(size, 28)),
  ]
  return Math.ceil(Math.max(tokensMin, ...rules))
}

function countTiles({ width, height }: ImageSize, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side)
}
