import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openHouse } from '../support/house.ts';

const LINES = 20;
const MIB = 1024 * 1024;

test('a body that is only announced takes no memory', async () => {
  const house = await openHouse();
  const { hostname, port } = new URL(house.url);
  const before = process.memoryUsage().arrayBuffers;
  for (let line = 0; line < LINES; line++) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const proceed = once(socket, 'data');
    socket.write(
      `PUT /api/livres/1/couverture HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: image/png\r\n` +
        `Content-Length: ${10 * MIB}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(String(await proceed)).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('x');
  }
  expect(await house.ask(null, 'GET', '/api/sante')).toMatchObject({ status: 200 });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * MIB);
});
