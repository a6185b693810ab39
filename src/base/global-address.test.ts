import { describe, expect, it } from 'vitest'
import { AddressBook, AddressRefusedError } from './address-book.ts'
import { isGlobalAddress } from './global-address.ts'

describe('isGlobalAddress', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    'lets %s through',
    (address) => {
      expect(isGlobalAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
  ])('refuses %j', (address) => {
    expect(isGlobalAddress(address)).toBe(false)
  })
})

describe('AddressBook', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', 'metadata.internal', 'nowhere.invalid'])(
    'refuses the host %s',
    async (host) => {
      const book = new AddressBook(async (name) => {
        if (name === 'nowhere.invalid') throw new Error('ENOTFOUND')
        return [{ address: '169.254.169.254', family: 4 }]
      }, false)

      await expect(book.find(host)).rejects.toThrow(AddressRefusedError)
    },
  )

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
  ])('refuses %s, however its address is written', async (address) => {
    const book = new AddressBook(async () => [{ address: '1.1.1.1', family: 4 }], false)

    await expect(book.find(new URL(address).hostname)).rejects.toThrow(AddressRefusedError)
  })

  it('asks once, so that a name server cannot change its mind after the check', async () => {
    const answers = ['1.1.1.1', '127.0.0.1']
    const book = new AddressBook(async () => [{ address: answers.shift() ?? '', family: 4 }], false)

    const found = [await book.find('rebind.example'), await book.find('rebind.example')]

    expect(found.map(({ address }) => address)).toEqual(['1.1.1.1', '1.1.1.1'])
    expect(answers).toEqual(['127.0.0.1'])
  })

  it('passes over private addresses where a host has a global one too', async () => {
    const book = new AddressBook(
      async () => [
        { address: '10.0.0.1', family: 4 },
        { address: '1.1.1.1', family: 4 },
      ],
      false,
    )

    expect(await book.find('mixed.example')).toEqual({ address: '1.1.1.1', family: 4 })
  })
})
