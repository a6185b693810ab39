import { closeSync, fstatSync, openSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../../../base/parse-json.ts'
import { readExactly } from './read-exactly.ts'

const elementBytes = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I32: 4, I8: 1 } as const

export type ElementType = keyof typeof elementBytes

export interface Tensor {
  type: ElementType
  shape: readonly number[]
  /** Position of its first byte in the file. */
  start: number
  bytes: number
}

export interface Safetensors {
  /** Not a handle, which Node would close with a warning: a model stays open as long as its process or thread. */
  descriptor: number
  tensors: ReadonlyMap<string, Tensor>
}

const lengthBytes = 8
/** A static model has three tensors; a header of a hundred kilobytes belongs to a transformer. */
const headerBytesMax = 1_000_000

const size = z.int().min(0)
const headerSchema = z.record(z.string(), z.unknown())
const tensorSchema = z.object({ dtype: z.string(), shape: z.array(size), data_offsets: z.tuple([size, size]) })

/**
 * Opens a file of tensors. Only its header is read.
 *
 * @returns The tensors whose type is known here. The caller closes the file.
 * @throws {Error} a clause about the file, if its header does not fit its size.
 * @see https://huggingface.co/docs/safetensors#format
 */
export async function openSafetensors(file: string): Promise<Safetensors> {
  const descriptor = openSync(file, 'r')
  try {
    return { descriptor, tensors: await readTensors(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

async function readTensors(descriptor: number): Promise<Map<string, Tensor>> {
  const fileBytes = fstatSync(descriptor).size
  const headerBytes = fileBytes < lengthBytes ? 0n : (await readExactly(descriptor, 0, lengthBytes)).readBigUInt64LE()
  if (headerBytes === 0n || headerBytes > BigInt(Math.min(headerBytesMax, fileBytes - lengthBytes))) {
    throw new Error('is not a safetensors file: its first eight bytes are not the length of its header')
  }
  const start = lengthBytes + Number(headerBytes)
  const text = (await readExactly(descriptor, lengthBytes, Number(headerBytes))).toString('utf8')
  const header = headerSchema.safeParse(parseJson(text))
  if (!header.success) throw new Error('is not a safetensors file: its header is not a JSON object')
  const tensors = new Map<string, Tensor>()
  for (const [name, description] of Object.entries(header.data)) {
    if (name === '__metadata__') continue
    const tensor = readTensor(description, fileBytes - start)
    if (tensor === null) throw new Error(`is damaged or cut off: the tensor "${name}" does not lie within it`)
    if (tensor !== 'unknown') tensors.set(name, { ...tensor, start: start + tensor.start })
  }
  return tensors
}

/** @returns Null unless it lies within this many bytes after the header, whose first is 0. */
function readTensor(description: unknown, bytesMax: number): Tensor | 'unknown' | null {
  const parsed = tensorSchema.safeParse(description)
  if (!parsed.success) return null
  const { dtype: type, shape, data_offsets } = parsed.data
  const [start, end] = data_offsets
  if (!isElementType(type)) return 'unknown'
  const bytes = shape.reduce((product, length) => product * length, elementBytes[type])
  return end - start === bytes && end <= bytesMax ? { type, shape, start, bytes } : null
}

const isElementType = (name: string): name is ElementType => Object.hasOwn(elementBytes, name)

/** The values of a tensor's bytes, from the beginning of a buffer. Node runs on little-endian machines only. */
export function decodeValues(type: ElementType, bytes: Buffer): Float64Array {
  const read = readers[type]
  const width = elementBytes[type]
  const values = new Float64Array(bytes.length / width)
  for (let place = 0; place < values.length; place++) values[place] = read(bytes, place * width)
  return values
}

const readers: Record<ElementType, (bytes: Buffer, offset: number) => number> = {
  F64: (bytes, offset) => bytes.readDoubleLE(offset),
  F32: (bytes, offset) => bytes.readFloatLE(offset),
  F16: (bytes, offset) => decodeHalf(bytes.readUInt16LE(offset)),
  BF16: (bytes, offset) => decodeBrainHalf(bytes.readUInt16LE(offset)),
  I64: (bytes, offset) => Number(bytes.readBigInt64LE(offset)),
  I32: (bytes, offset) => bytes.readInt32LE(offset),
  I8: (bytes, offset) => bytes.readInt8(offset),
}

/** IEEE 754 binary16: one bit of sign, five of exponent, ten of fraction. */
function decodeHalf(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const exponent = (bits >>> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}

const word = new DataView(new ArrayBuffer(4))

/** The upper half of a 32-bit float. */
function decodeBrainHalf(bits: number): number {
  word.setUint32(0, bits * 0x10000)
  return word.getFloat32(0)
}
