CREATE TABLE `credential` (
	`connection_id` text NOT NULL,
	`auth_method` text NOT NULL,
	`organisation_id` text NOT NULL,
	`sealed_access_token` text NOT NULL,
	`access_token_expires_at` integer,
	`sealed_refresh_token` text,
	`token_version` integer NOT NULL,
	`grant_id` text,
	`status` text NOT NULL,
	PRIMARY KEY(`connection_id`, `auth_method`)
);
--> statement-breakpoint
CREATE INDEX `credential_grant` ON `credential` (`grant_id`) WHERE grant_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `authorisation` ADD `auth_method` text;--> statement-breakpoint
INSERT INTO credential
  SELECT id, 'default', organisation_id, sealed_access_token, access_token_expires_at, sealed_refresh_token,
    token_version, grant_id, status
  FROM connection WHERE sealed_access_token IS NOT NULL;--> statement-breakpoint
-- While this release is rolled out, the one before may still connect accounts and renew tokens. It knows only the
-- columns of `connection`, so what it writes there is copied. A refresh token that worked once would be lost otherwise.
CREATE TRIGGER connection_tokens_added AFTER INSERT ON connection WHEN NEW.sealed_access_token IS NOT NULL BEGIN
  INSERT INTO credential VALUES (NEW.id, 'default', NEW.organisation_id, NEW.sealed_access_token,
    NEW.access_token_expires_at, NEW.sealed_refresh_token, NEW.token_version, NEW.grant_id, NEW.status);
END;
--> statement-breakpoint
CREATE TRIGGER connection_tokens_renewed AFTER UPDATE OF sealed_access_token ON connection
WHEN NEW.sealed_access_token IS NOT NULL AND NEW.token_version > OLD.token_version BEGIN
  INSERT INTO credential VALUES (NEW.id, 'default', NEW.organisation_id, NEW.sealed_access_token,
    NEW.access_token_expires_at, NEW.sealed_refresh_token, NEW.token_version, NEW.grant_id, NEW.status)
  ON CONFLICT (connection_id, auth_method) DO UPDATE SET
    sealed_access_token = excluded.sealed_access_token, access_token_expires_at = excluded.access_token_expires_at,
    sealed_refresh_token = excluded.sealed_refresh_token, token_version = excluded.token_version,
    grant_id = excluded.grant_id, status = excluded.status
  WHERE token_version < excluded.token_version;
END;
--> statement-breakpoint
CREATE TRIGGER connection_removed AFTER DELETE ON connection BEGIN
  DELETE FROM credential WHERE connection_id = OLD.id;
END;
