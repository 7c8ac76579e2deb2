import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { ZONE } from '../cas.ts';

const A = 1;
const AAAA = 28;

/** A name server on the loopback that knows the zone of the tests, and gives nothing to keep. */
export async function servirNoms(): Promise<void> {
  const posees = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { nom, type, fin } = lireQuestion(question);
    const rang = posees.get(`${nom} ${type}`) ?? 0;
    posees.set(`${nom} ${type}`, rang + 1);
    const reponses = ZONE[nom];
    const adresses = reponses?.[Math.min(rang, reponses.length - 1)] ?? [];
    socket.send(reponse(question.subarray(0, fin), type, adresses), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
}

/** The name asked for, the kind of address, and where the question ends. */
function lireQuestion(question: Buffer): { nom: string; type: number; fin: number } {
  const parties: string[] = [];
  let i = 12;
  for (let longueur = question[i] ?? 0; longueur > 0; longueur = question[i] ?? 0) {
    parties.push(question.toString('latin1', i + 1, i + 1 + longueur));
    i += 1 + longueur;
  }
  const nom = parties.join('.').toLowerCase();
  return { nom, type: question.readUInt16BE(i + 1), fin: i + 5 };
}

function reponse(question: Buffer, type: number, adresses: readonly string[]): Buffer {
  const octets = adresses
    .map((adresse) => ipaddr.parse(adresse).toByteArray())
    .filter(({ length }) => (length === 4 ? type === A : type === AAAA));
  const entete = Buffer.from(question);
  entete.writeUInt16BE(adresses.length === 0 ? 0x8183 : 0x8180, 2);
  entete.writeUInt16BE(octets.length, 6);
  entete.writeUInt32BE(0, 8);
  const lignes = octets.map((adresse) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, adresse.length, ...adresse]),
  );
  return Buffer.concat([entete, ...lignes]);
}
