import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { ZONE } from '../cases.ts';

const A = 1;
const AAAA = 28;

/** A name server on the loopback for the tests' zone, whose responses must not be cached. */
export async function serveNames(): Promise<void> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { nom, type, end } = readQuestion(question);
    const index = asked.get(`${nom} ${type}`) ?? 0;
    asked.set(`${nom} ${type}`, index + 1);
    const answers = ZONE[nom];
    const addresses = answers?.[Math.min(index, answers.length - 1)] ?? [];
    socket.send(answer(question.subarray(0, end), type, addresses), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
}

/** The queried name, the type of address, and the end of the question. */
function readQuestion(question: Buffer): { nom: string; type: number; end: number } {
  const parts: string[] = [];
  let i = 12;
  for (let length = question[i] ?? 0; length > 0; length = question[i] ?? 0) {
    parts.push(question.toString('latin1', i + 1, i + 1 + length));
    i += 1 + length;
  }
  const nom = parts.join('.').toLowerCase();
  return { nom, type: question.readUInt16BE(i + 1), end: i + 5 };
}

function answer(question: Buffer, type: number, addresses: readonly string[]): Buffer {
  const bytes = addresses
    .map((address) => ipaddr.parse(address).toByteArray())
    .filter(({ length }) => (length === 4 ? type === A : type === AAAA));
  const header = Buffer.from(question);
  header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(bytes.length, 6);
  header.writeUInt32BE(0, 8);
  const lines = bytes.map((address) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]),
  );
  return Buffer.concat([header, ...lines]);
}
