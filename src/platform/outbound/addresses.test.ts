/** Which addresses may be called, as tables: an address that is missing here is a hole or a wrong refusal. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { isAllowedAddress, kindOf } from './addresses.ts'

const NEVER = [
  ['0.0.0.0', 'this network'],
  ['0.1.2.3', 'this network'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata of containers'],
  ['100.100.100.200', 'metadata in the carrier-grade range'],
  ['168.63.129.16', 'metadata at a public address'],
  ['192.0.0.192', 'metadata in the protocol range'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.255', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['192.88.99.1', 'relay of 6to4'],
  ['192.31.196.1', 'sink of reverse look-ups'],
  ['192.52.193.1', 'multicast tunnels'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'site-local of old'],
  ['ff02::1', 'multicast'],
  ['100::1', 'discard'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'identifiers, not addresses'],
  ['2001:20::1', 'identifiers, not addresses'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'given to nobody'],
  ['fd00:ec2::254', 'metadata in the unique-local range'],
  ['fd20:ce::254', 'metadata in the unique-local range'],
  ['::127.0.0.1', 'IPv4-compatible loopback'],
  ['::169.254.169.254', 'IPv4-compatible metadata'],
  ['::8.8.8.8', 'IPv4-compatible, whatever it holds'],
  ['::ffff:0.0.0.0', 'IPv4-mapped unspecified'],
  ['::ffff:169.254.169.254', 'IPv4-mapped metadata'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata in hexadecimal'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated loopback'],
  ['64:ff9b::169.254.169.254', 'NAT64 of metadata'],
  ['64:ff9b:1::7f00:1', 'NAT64 of a local prefix'],
  ['2002:7f00:1::1', '6to4 of loopback'],
  ['2002:a9fe:a9fe::1', '6to4 of metadata'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo of loopback'],
  ['2606:4700::5efe:7f00:1', 'ISATAP of loopback'],
  ['2606:4700::200:5efe:a9fe:a9fe', 'ISATAP of metadata'],
  ['::1%lo', 'an interface of ours'],
  ['fe80::1%eth0', 'an interface of ours'],
  ['0177.0.0.1', 'octal'],
  ['010.0.0.1', 'octal'],
  ['0x7f000001', 'hexadecimal'],
  ['2130706433', 'decimal'],
  ['127.1', 'short'],
  ['8.8.8.8 ', 'not an address'],
  ['localhost', 'not an address'],
  ['', 'nothing'],
] as const

const LOCAL = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '::1',
  'fc00::1',
  'fdff:ffff::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.1.2.3',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
]

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
]

test('an address that is neither public nor local is refused, whatever the installation allows', () => {
  for (const [address, why] of NEVER) {
    assert.equal(kindOf(address), 'refused', `${address}: ${why}`)
    assert.equal(isAllowedAddress(address, true), false, `${address}: ${why}`)
  }
})

test('a local address is refused unless the installation allows private ones', () => {
  for (const address of LOCAL) {
    assert.equal(isAllowedAddress(address, false), false, address)
    assert.equal(isAllowedAddress(address, true), true, address)
  }
})

test('the addresses next to the refused ranges are public', () => {
  for (const address of PUBLIC) assert.equal(isAllowedAddress(address, false), true, address)
})
