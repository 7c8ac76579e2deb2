import { Transform } from 'node:stream';
import { MIN_RATE } from './body.ts';

/** Passes the bytes of an answer on; ends with an error where less than `MIN_RATE` is taken of them. */
export function unlessUnread(): Transform {
  let taken = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (taken < MIN_RATE.bytes) stream.destroy(new Error('Nobody reads the answer'));
    taken = 0;
  }, MIN_RATE.ms).unref();
  return stream.once('close', () => clearInterval(timer));
}
