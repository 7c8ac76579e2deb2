import type { FastifyReply } from 'fastify';

/** Makes the answer a file for the browser to save: an archive, or a text in UTF-8. */
export const attach = (reply: FastifyReply, type: string, fileName: string): FastifyReply =>
  reply
    .type(type === 'application/zip' ? type : `${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${fileName}"`);
