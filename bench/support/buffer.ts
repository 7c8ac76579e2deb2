import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/**
 * Plain Fastify that answers from buffers, the lower bound of serving these bytes. Started with a JSON file of
 * responses by path.
 */
const bodies = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>;
const answers = new Map<string, Buffer>();
for (const [path, body] of Object.entries(bodies)) answers.set(path, Buffer.from(body));

const app = Fastify();
app.get('/*', (request, reply) =>
  reply.type('application/json; charset=utf-8').send(answers.get(request.url)),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
