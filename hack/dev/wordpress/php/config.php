<?php
// Written by the development program. The database has no port and no password: its socket is in a folder of its owner alone.
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{{.Socket}}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '{{.URL}}');
define('WP_SITEURL', '{{.URL}}');
// Application passwords need https, except in a local environment.
define('WP_ENVIRONMENT_TYPE', 'local');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) {
    define($name, hash('sha256', $name . '{{.Folder}}'));
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
if (PHP_SAPI === 'cli') {
    $_SERVER += ['HTTP_HOST' => parse_url('{{.URL}}', PHP_URL_HOST) . ':' . parse_url('{{.URL}}', PHP_URL_PORT), 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
}
require_once ABSPATH . 'wp-settings.php';
