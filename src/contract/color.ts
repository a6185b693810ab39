import { z } from 'zod'

export const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/i, { error: 'is not a color such as #5b3bb0' })
