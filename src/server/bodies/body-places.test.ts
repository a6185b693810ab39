import { expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { BodyPlaces, type BodyPlacesOptions } from './body-places.ts'

const never = new AbortController().signal

function setup(options: Partial<BodyPlacesOptions> = {}) {
  const places = new BodyPlaces(systemClock, { bytesMax: 100, ...options })
  const entered: string[] = []
  const acquire = async (name: string, bytes: number, signal = never) => {
    const place = await places.acquire({ address: name.charAt(0), bytes }, signal)
    entered.push(name)
    return place
  }
  return { acquire, entered }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('keeps within its bytes, and admits the oldest waiter when a place is released', async () => {
  const { acquire, entered } = setup()
  const first = await acquire('a1', 60)
  const waiting = [acquire('b1', 50), acquire('c1', 10), acquire('d1', 40)]
  await settle()
  expect(entered).toEqual(['a1'])

  first.release()
  first.release()
  await settle()

  expect(entered).toEqual(['a1', 'b1', 'c1', 'd1'])
  for (const place of await Promise.all(waiting)) place.release()
})

it('leaves room for others if one address has used up its share', async () => {
  const { acquire, entered } = setup()
  const first = await acquire('a1', 40)

  const second = acquire('a2', 20)
  const other = await acquire('b1', 20)
  expect(entered).toEqual(['a1', 'b1'])

  first.release()
  await second
  expect(entered).toEqual(['a1', 'b1', 'a2'])
  other.release()
})

it('treats the addresses of one IPv6 network as one client', async () => {
  const places = new BodyPlaces(systemClock, { bytesMax: 100 })
  const first = await places.acquire({ address: '2001:db8:0:1::1', bytes: 40 }, never)
  let hasEntered = false

  const second = places.acquire({ address: '2001:db8:0:1::2', bytes: 20 }, never).then((place) => {
    hasEntered = true
    return place
  })
  await settle()
  expect(hasEntered).toBe(false)

  first.release()
  const place = await second
  place.release()
})

it('admits one body of any size from an address that has none', async () => {
  const { acquire } = setup()

  await expect(acquire('a1', 100)).resolves.toBeDefined()
})

it('rejects callers if too many wait, they wait too long or they disconnect, and forgets them', async () => {
  const { acquire, entered } = setup({ waitingMax: 1, waitMsMax: 1 })
  const first = await acquire('a1', 100)
  const gone = new AbortController()

  const overloaded = { code: 'overloaded', headers: { 'Retry-After': '30' } }
  const [late, tooMany] = [acquire('b1', 10), acquire('c1', 10)]
  await Promise.all([late, tooMany].map((each) => expect(each).rejects.toMatchObject(overloaded)))
  const leaving = acquire('d1', 10, gone.signal)
  gone.abort(new Error('gone'))
  await expect(leaving).rejects.toThrow('gone')
  first.release()
  await acquire('e1', 100)

  expect(entered).toEqual(['a1', 'e1'])
})

it('bounds the retry time when the clock is set back', async () => {
  let now = 30 * 86_400_000
  const places = new BodyPlaces({ now: () => now }, { bytesMax: 100, waitingMax: 0 })
  const first = await places.acquire({ address: 'a', bytes: 100 }, never)
  now = 0

  const refused = places.acquire({ address: 'b', bytes: 100 }, never)

  await expect(refused).rejects.toMatchObject({ code: 'overloaded', headers: { 'Retry-After': '30' } })
  first.release()
})
