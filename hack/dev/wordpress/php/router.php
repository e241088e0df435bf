<?php
// The rewrite rule of WordPress: what is no file is for index.php.
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/';
$file = realpath('{{.Folder}}/www' . $path);
if ($path !== '/' && $file !== false && is_file($file)) {
    return false;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = '{{.Folder}}/www/index.php';
require '{{.Folder}}/www/index.php';
