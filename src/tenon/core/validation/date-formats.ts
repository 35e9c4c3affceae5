const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;

const MINUTES_PER_DAY = 1_440;
const MS_PER_MINUTE = 60_000;

/**
 * The formats `date`, `time` and `date-time` exactly as RFC 3339 has them: only days that the calendar has, an offset always, and
 * a second 60 only where a leap second can be, before midnight UTC at the end of a month. The validator's own accept 2026-02-30.
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export const DATE_FORMATS = {
  date: (text: string): boolean => parseDate(text) !== undefined,
  time: (text: string): boolean => parseTime(text) !== undefined,
  "date-time": (text: string): boolean => {
    if (text.charAt(10).toLowerCase() !== "t") return false;
    const date = parseDate(text.slice(0, 10));
    const time = parseTime(text.slice(11));
    if (date === undefined || time === undefined) return false;
    if (!time.isLeap) return true;
    const after = new Date(date + (time.minutes + 1) * MS_PER_MINUTE);
    return after.getUTCDate() === 1;
  },
};

/** @returns the day's start as milliseconds of a calendar that is 400 years, a whole cycle, ahead: `Date.UTC` takes 26 for 1926. */
function parseDate(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(Date.UTC(year + 400, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

interface Time {
  /** From the start of the written day to the minute in UTC; negative on the day before. */
  readonly minutes: number;
  readonly isLeap: boolean;
}

function parseTime(text: string): Time | undefined {
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = TIME.exec(text) ?? [];
  if (Number(hour ?? 24) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  const isLeap = Number(second) === 60;
  const isLastMinute = (minutes + 1) % MINUTES_PER_DAY === 0;
  return isLeap && !isLastMinute ? undefined : { minutes, isLeap };
}
