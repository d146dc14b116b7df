-- 002-expand-folded-texts
-- 003-expand-composed-emails
-- 004-expand-credentials
alter table "sessions" add column "scope" text default 'session' not null;
alter table "sessions" add column "name" text default '' not null;
alter table "sessions" add column "expires_at" bigint;
alter table "changes" add column "by" text default '' not null;
alter table "versions" add column "by" text default '' not null;
alter table "notes" add column "saved_by_name" text default '' not null;
alter table "users" add column "disabled_at" bigint;
create index "sessions_by_expiry" on "sessions" ("expires_at") where expires_at is not null;
-- 005-expand-guesses
create table "guesses" ("user_id" uuid not null, "key" text not null, "count" integer not null, "since" bigint not null, "last_at" bigint not null, constraint "guesses_key" primary key ("user_id", "key"));
create index "guesses_of_known_sites" on "guesses" ("since") where key like 'known %';
create index "guesses_of_others" on "guesses" ("since") where key not like 'known %';
-- 006-expand-due-times
alter table "tasks" add column "due_time" text default '24:00' not null;
drop index "tasks_by_day";
drop index "tasks_by_priority";
create index "tasks_by_day_and_time" on "tasks" ("user_id", "due_date", "due_time", "priority", "id") where done_at is null and deleted_at is null;
create index "tasks_by_priority_and_time" on "tasks" ("user_id", "priority", "due_date", "due_time", "id") where done_at is null and deleted_at is null;
create index "tasks_by_creation_without_day" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null and due_date = '9999-12-31';
-- 007-expand-repeats
alter table "tasks" add column "repeat" text;
alter table "tasks" add column "repeat_from" integer default 1 not null;
alter table "tasks" add column "repeat_day" text;
alter table "tasks" add column "series" text;
-- 008-expand-change-events
alter table "changes" add column "event" text;
-- 009-expand-reminders
alter table "tasks" add column "reminders" text;
alter table "users" add column "remind_from" uuid;
create table "subscriptions" ("user_id" uuid not null, "id" uuid not null, "token_hash" text not null, "created_at" bigint not null, "endpoint" text not null, "p256dh" text not null, "auth" text not null, "origin" text not null, constraint "subscriptions_key" primary key ("user_id", "id"), constraint "subscriptions_of_session" unique ("user_id", "token_hash"), constraint "subscriptions_session" foreign key ("user_id", "token_hash") references "sessions" ("user_id", "token_hash") on delete cascade);
create table "reminder_jobs" ("user_id" uuid not null references "users" ("id") on delete cascade, "item" uuid not null, "reminder" text not null, "subscription" text not null, "service" text not null, "remind_at" bigint not null, "due" bigint, "lease" bigint, "attempts" integer not null, "held" integer not null, "others" text not null, constraint "reminder_jobs_key" primary key ("user_id", "item", "reminder", "subscription"));
create table "push" ("id" integer not null primary key, "vapid" text not null, "secret" text not null, "is_on" integer not null, "not_before" bigint not null);
create index "reminder_jobs_by_due" on "reminder_jobs" ("due") where due is not null;
create index "users_to_remind" on "users" ("remind_from") where remind_from is not null;
-- 010-expand-series
create index "tasks_of_series" on "tasks" ("user_id", "series", "repeat_day", "id") where series is not null;
