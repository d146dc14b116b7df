/** Texts that often break servers: injections, control characters, extreme numbers, dates and lengths. */
export const hostileTexts = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff tail', '\u202egnp.exe', 'ﷺ', 'İ', '𝒳'.repeat(300)],
  ...["' or 1=1 --", "'; drop table users; --", '"; select pg_sleep(10) --', '%', '_', '\\', '$1', '?'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}', '#{7*7}', 'javascript:0'],
  ...['../../etc/passwd', '%00', '%2e%2e%2f', '__proto__', 'constructor', 'toString', 'null', 'undefined'],
  ...['-1', '0', '1e309', '-0', 'NaN', 'Infinity', '0x10', '9'.repeat(400), '1.5', 'true'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '10000-01-01', '+275760-09-13', '2026-11-21T00:00:00Z'],
  ...['Area/City', 'UTC', '+25:00', 'Etc/GMT+99', '2026-11-21T00:00[UTC]', 'x'.repeat(100_001)],
]

/** Bodies that are invalid JSON or unusual JSON. */
export const rawBodies = [
  ...['', ' ', '{', '[]', 'null', '"text"', '{"title":}', '{"title":1e999}', '\ufeff{}', '{}{}', "{'a':1}"],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"title":"\\ud800"}'],
  ...['['.repeat(50_000), '{"a":'.repeat(20_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ...['{"title":"a","title":["b"]}', 'title=a&body=b', `"${'x'.repeat(1_100_000)}"`],
  ...[Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"title":"\xe9"}', 'latin1'), Buffer.alloc(64)],
]
